import Foundation

/// The memory that may hold pages of test files: the file system's cache and, where the files are in a
/// disk image, that of the file system below, which keeps pages of the image itself.
struct StorageCache: Sendable {
  /// Of the image that holds the test files: a file, or a directory of bands. nil for no image.
  let image: String?

  /// Makes the kernel forget these files; then how much of each stayed, and of the image beside all.
  func empty(_ files: [String]) throws -> [Residency] {
    for file in files { try Residency.evict(file) }
    // After the files, whose last pages reach the image by that.
    if Self.evictsImagesInUse { try? image.map(Self.evict) }
    return try residency(of: files)
  }

  func residency(of files: [String]) throws -> [Residency] {
    let found = try files.map(Residency.of)
    guard let image else { return found }
    let pages = found.map(\.pages).reduce(0, +)
    // What cannot be looked at may be in memory.
    let resident = try? Self.parts(of: image).map { try Residency.of($0).residentPages }.reduce(0, +)
    return found + [Residency(residentPages: resident ?? pages, pages: pages, isOfImage: true)]
  }

  /// Of an image that nothing has mounted.
  static func evict(_ image: String) throws { try parts(of: image).forEach(Residency.evict) }

  /// A sparse bundle's data is in files of its own.
  private static func parts(of image: String) -> [String] {
    let bands = image + "/bands"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: bands) else { return [image] }
    return names.map { bands + "/" + $0 }
  }
}

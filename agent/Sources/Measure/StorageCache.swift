import Foundation

/// Memory that may hold pages of test files: the file system's cache and, if the files are in a
/// disk image, that of the file system below, which caches the image itself.
struct StorageCache: Sendable {
  /// The image that holds the test files: a file, or a directory of bands. nil if there is none.
  let image: String?

  /// Evict these files and the image, then return how much of each is still resident; the image
  /// last.
  func empty(_ files: [String]) throws -> [Residency] {
    for file in files { try Residency.evict(file) }
    // Only after the files, whose last pages reach the image when evicted.
    if Self.evictsImagesInUse { try? image.map(Self.evict) }
    return try residency(of: files)
  }

  func residency(of files: [String]) throws -> [Residency] {
    let found = try files.map(Residency.of)
    guard let image else { return found }
    let pages = found.map(\.pages).reduce(0, +)
    // An image that can't be inspected may be in memory.
    let resident = try? Self.parts(of: image).map { try Residency.of($0).residentPages }.reduce(0, +)
    return found + [Residency(residentPages: resident ?? pages, pages: pages, isOfImage: true)]
  }

  /// Evict an image that isn't mounted.
  static func evict(_ image: String) throws { try parts(of: image).forEach(Residency.evict) }

  /// The image's files; a sparse bundle keeps its data in bands.
  private static func parts(of image: String) -> [String] {
    let bands = image + "/bands"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: bands) else { return [image] }
    return names.map { bands + "/" + $0 }
  }
}

import Foundation

/// How much of a file is in memory.
package struct Residency: Equatable, Sendable {
  package var residentPages: Int
  package var pages: Int
  /// Whether this is the disk image's own file, besides the files in it.
  package var isOfImage = false

  package var share: Double { pages == 0 ? 0 : Double(residentPages) / Double(pages) }

  /// Share of its pages above which a file's read speed is doubtful.
  package static let tolerated = 0.01

  /// Query the kernel (mincore over a mapping; mapping alone loads nothing into memory).
  package static func of(_ path: String) throws -> Residency {
    var total = Residency(residentPages: 0, pages: 0)
    try withMappedWindows(of: path) { start, bytes in
      let pageSize = Int(getpagesize())
      let pages = (bytes + pageSize - 1) / pageSize
      var marks = [PageMark](repeating: 0, count: pages)
      guard mincore(start, bytes, &marks) == 0 else {
        throw TransferError(call: "mincore", code: errno)
      }
      total.pages += pages
      total.residentPages += marks.reduce(0) { $0 + Int($1 & 1) }
    }
    return total
  }

  /// Ask the kernel to drop the file's pages, which must already be on the device. Use `of` to
  /// check whether it did.
  package static func evict(_ path: String) throws {
    try withMappedWindows(of: path) { start, bytes in
      guard msync(start, bytes, MS_INVALIDATE) == 0 else {
        throw TransferError(call: "msync", code: errno)
      }
    }
    try advise(path)
  }

  private static func withMappedWindows(
    of path: String, _ body: (UnsafeMutableRawPointer, Int) throws -> Void
  ) throws {
    let window = 256 << 20
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw TransferError(call: "stat", code: errno) }
    for offset in stride(from: 0, to: Int(facts.st_size), by: window) {
      let bytes = min(window, Int(facts.st_size) - offset)
      guard
        let start = mmap(nil, bytes, PROT_READ, MAP_SHARED, descriptor, off_t(offset)),
        start != MAP_FAILED
      else { throw TransferError(call: "mmap", code: errno) }
      defer { munmap(start, bytes) }
      try body(start, bytes)
    }
  }
}

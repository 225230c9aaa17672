import Foundation

extension UnsafeRawBufferPointer {
  /// Position of the next such byte, found with memchr, which checks many bytes at a time.
  package func place(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress, let hit = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(hit) - base
  }
}

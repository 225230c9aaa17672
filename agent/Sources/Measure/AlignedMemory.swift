/// Memory aligned for direct transfers; freed with its owner.
///
/// In one huge page if Linux grants it: a device fetches a block in as many pieces as it has
/// separate pages, and scattered ones cost up to half the speed of a fast drive. Touched
/// beforehand, so that no transfer waits for a page fault.
final class AlignedMemory {
  let start: UnsafeMutableRawPointer
  let bytes: Int

  init(bytes: Int) {
    self.bytes = bytes
    let whole = (bytes + Self.alignment - 1) / Self.alignment * Self.alignment
    start = .allocate(byteCount: whole, alignment: Self.alignment)
    Self.askForLargePages(start, whole)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: whole)
  }

  deinit { start.deallocate() }
}

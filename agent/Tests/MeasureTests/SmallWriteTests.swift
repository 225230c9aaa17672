import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Measure

/// Checks with the kernel whether small direct writes bypass the cache: on macOS the only proof of
/// the method.
@Suite(.serialized) struct SmallWriteTests {
  private static let fileBytes = 16 << 20

  /// Pages in memory after writes of `bytes` at every eighth place; nil if the file system has no
  /// direct transfers.
  private func residentPages(bytes: Int) throws -> Int? {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/file"
    let transfer = BlockTransfer(blockSize: 1 << 20, seed: 1, world: .real([:]))
    _ = try transfer.write(path, bytes: Self.fileBytes) { _ in }
    try Residency.evict(path)
    let file = try DirectFile.open(path, O_WRONLY)
    defer { file.close() }
    guard transfer.bypassedCache, file.bypassesCache, try Residency.of(path).residentPages == 0 else { return nil }
    let memory = AlignedMemory(bytes: bytes)
    for offset in stride(from: 0, to: Self.fileBytes, by: 8 * bytes) {
      #expect(pwrite(file.descriptor, memory.start, bytes, off_t(offset)) == bytes)
    }
    return try Residency.of(path).residentPages
  }

  @Test("writes as latency makes them leave nothing in memory")
  func direct() throws {
    let bytes = LatencyTest(move: .write, depth: 1).bytes
    guard let resident = try residentPages(bytes: bytes) else {
      print("this file system has no direct transfers: small writes were not looked at")
      return
    }
    #expect(resident == 0)
  }

  #if canImport(Darwin)
    @Test("writes of 4 KiB go through macOS's cache, whatever is asked")
    func cached() throws {
      guard let resident = try residentPages(bytes: 4096) else { return }
      #expect(resident > 0)
    }
  #endif

  @Test("writes that stayed in memory are a warning, some pages of others are none")
  func warned() {
    let through = Residency(residentPages: 30, pages: 100)
    let few = Residency(residentPages: 1, pages: 100)
    #expect(Warning.writing([few, through]).map(\.code) == [.writesMayBeCached])
    #expect(Warning.writing([few]).isEmpty)
    #expect(Warning.writing([Residency(residentPages: 90, pages: 100, isOfImage: true)]).isEmpty)
  }
}

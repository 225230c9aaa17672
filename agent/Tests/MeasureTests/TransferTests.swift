import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Measure
@testable import Upload

@Suite(.serialized) struct TransferTests {
  let directory: TemporaryDirectory
  let transfer = BlockTransfer(blockSize: 1 << 20, seed: 7, world: .real([:]))

  init() throws { directory = try TemporaryDirectory() }

  @Test("a file gets exactly its bytes, whatever the alignment", arguments: [2_000_000, 1, 4096, 1_048_577, 4_000_000])
  func exactSize(bytes: Int) throws {
    let path = directory.path + "/file"
    var counted = 0
    let time = try transfer.write(path, bytes: bytes) { counted += $0 }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == bytes)
    #expect(counted == bytes)
    #expect(time.transfer > 0)
    var read = 0
    #expect(try transfer.read(path, bytes: bytes) { read += $0 } > 0)
    #expect(read == bytes)
  }

  @Test("no two pages are equal and none compresses")
  func incompressible() throws {
    let path = directory.path + "/file"
    _ = try transfer.write(path, bytes: 8_000_000) { _ in }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let pages = stride(from: 0, to: data.count, by: 4096).map { data[$0..<min($0 + 4096, data.count)] }
    #expect(Set(pages).count == pages.count)
    let sample = data.prefix(256 << 10)
    #expect(try Gzip.compress(sample).count > sample.count * 99 / 100)
  }

  @Test("an existing file is never overwritten")
  func exclusive() throws {
    let path = try directory.write("precious", to: "file")
    #expect(throws: TransferError.self) { try transfer.write(path, bytes: 4096) { _ in } }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test("a file that is shorter than planned is an error, not an endless read")
  func short() throws {
    let path = try directory.write("short", to: "file")
    #expect(throws: TransferError.self) { try transfer.read(path, bytes: 1 << 20) { _ in } }
  }

  @Test("a stop is noticed within a block")
  func interrupted() throws {
    var world = World.real([:])
    world.interrupted = { true }
    let transfer = BlockTransfer(blockSize: 4096, seed: 7, world: world)
    #expect(throws: Interrupted.self) { try transfer.write(directory.path + "/file", bytes: 1 << 20) { _ in } }
  }

  @Test("a buffered read raises the flag; eviction takes it away")
  func residency() throws {
    let path = directory.path + "/file"
    _ = try transfer.write(path, bytes: 20_000_000) { _ in }
    _ = try Data(contentsOf: URL(fileURLWithPath: path))  // through the cache
    var outcome = DiskOutcome()
    outcome.residency = [try Residency.of(path)]
    #expect(outcome.residency[0].share > 0.9)
    #expect(outcome.residencyDetail?.hasPrefix("1 of 1 files") == true)

    try Residency.evict(path)
    outcome.residency = [try Residency.of(path)]
    #expect(outcome.residency[0].share <= Residency.tolerated)
    #expect(outcome.residencyDetail == nil)
    // An image may have far more pages in memory than its files have pages.
    outcome.residency.append(Residency(residentPages: 9_000_000, pages: 5000, isOfImage: true))
    #expect(outcome.residencyDetail == "parts of the disk image that holds the files are in memory")
    #expect(outcome.residency[0].pages == (20_000_000 + Int(getpagesize()) - 1) / Int(getpagesize()))
  }

  @Test("data that went past the cache is not in it")
  func bypassed() throws {
    try #require(transfer.bypassedCache)
    let path = directory.path + "/file"
    _ = try transfer.write(path, bytes: 20_000_000) { _ in }
    guard transfer.bypassedCache else { return }
    try Residency.evict(path)
    _ = try transfer.read(path, bytes: 20_000_000) { _ in }
    #expect(try Residency.of(path).share <= Residency.tolerated)
  }
}

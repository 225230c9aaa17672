import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Imports
@testable import MacTools

/// Whether an imported speed can be the drive's, or must be memory's.
@Suite struct ImportedSpeedTests {
  private let mini = {
    var facts = MachineFacts(platform: "macos-arm64")
    facts.model = "Mac16,11"
    facts.chip = "Apple M4"
    return facts
  }()

  private func document(_ text: String, on facts: MachineFacts? = nil, target: TargetRecord? = nil) throws -> RunDocument {
    let maker = ImportedDocument(
      machineID: "0193a1b2-0000-7000-8000-000000000001", facts: facts ?? mini, target: target, labels: nil,
      asked: target == nil ? nil : .this(because: "--path is on it"))
    return try maker.make(try #require(try ImportedRuns.read(Data(text.utf8)).first), digest: [1], place: 0)
  }

  private func fio(_ direction: String, speed: Int, block: Int, direct: Int = 1, engine: String = "posixaio") -> String {
    let count = 1000
    let bytes = block * count
    return """
      {"fio version": "fio-3.26", "jobs": [{"job options": {"rw": "rand\(direction)", "direct": "\(direct)", "ioengine": "\(engine)"},
        "\(direction)": {"io_bytes": \(bytes), "io_kbytes": \(bytes / 1024), "bw_bytes": \(speed), "total_ios": \(count), "runtime": 1000}}]}
      """
  }

  private func codes(_ document: RunDocument) -> [WarningCode] { (document.warnings ?? []).map(\.code) }

  @Test("direct transfers on macOS say nothing of what was in memory before")
  func reads() throws {
    #expect(codes(try document(fio("read", speed: 1_000_000_000, block: 4096))) == [.cacheStateUnstated])
    #expect(codes(try document(fio("read", speed: 1_000_000_000, block: 4096, direct: 0))) == [.cacheNotBypassed])
    #expect(codes(try document(fio("read", speed: 1_000_000_000, block: 4096, engine: "libaio"))).isEmpty)
    let linux = MachineFacts(platform: "linux-x86_64")
    #expect(codes(try document(fio("read", speed: 1_000_000_000, block: 4096), on: linux)).isEmpty)
  }

  @Test("writes of less than 16 KiB are not direct on macOS", arguments: [(512, true), (4096, true), (16383, true), (16384, false), (1 << 20, false)])
  func writes(block: Int, isCached: Bool) throws {
    #expect(codes(try document(fio("write", speed: 1_000_000, block: block))) == (isCached ? [.writesMayBeCached] : []))
    #expect(codes(try document(fio("write", speed: 1_000_000, block: block), on: MachineFacts(platform: "linux-x86_64"))).isEmpty)
  }

  @Test("AmorphousDiskMark's small writes are not direct either")
  func diskMark() throws {
    let text = """
      AmorphousDiskMark 4.0.1 arm64
      Device : APPLE SSD AP1024Z
      Sequential Read 1MiB (QD=  8) :   3000.00 MB/s [   2861.0 IOPS]
      Sequential Write 1MiB (QD=  8) :   3000.00 MB/s [   2861.0 IOPS]
      Random Read 4KiB (QD=  1) :     60.00 MB/s [  14648.4 IOPS]
      Random Write 4KiB (QD=  1) :     90.00 MB/s [  21972.6 IOPS]
      Test : 1 GiB (x5) [Interval=5 sec]
      CPU : Apple A18 Pro
      OS : macOS 26.4 25E246

      """
    let runs = try ImportedRuns.read(Data(text.utf8))
    #expect(runs.map(\.stated.chip) == ["Apple A18 Pro", "Apple A18 Pro"])
    #expect(runs.map(\.stated.smallestWrite) == [1_048_576, 4096])
    let maker = ImportedDocument(machineID: "0193a1b2-0000-7000-8000-000000000001", facts: mini, target: nil, labels: nil, asked: nil)
    #expect(codes(try maker.make(runs[1], digest: [1], place: 1)).contains(.writesMayBeCached))
    #expect(!codes(try maker.make(runs[0], digest: [1], place: 0)).contains(.writesMayBeCached))
  }

  @Test("a figure beyond its link is reported before it is sent")
  func link() throws {
    let stick = TargetRecord(storage: .usb3, linkSpeed: 480e6)
    let beyond = try document(fio("read", speed: 5_187_000_000, block: 1 << 20), target: stick)
    #expect(codes(beyond) == [.cacheStateUnstated, .fasterThanLink])
    #expect(beyond.warnings?.last?.advice().contains("480 Mb/s") == true)
    #expect(codes(try document(fio("read", speed: 40_000_000, block: 1 << 20), target: stick)) == [.cacheStateUnstated])
  }

  @Test("limits are the link's, or those of internal storage beside its chip", arguments: [
    (TargetRecord(storage: .internal), "Apple M4", 12e9, "faster_than_storage"),
    (TargetRecord(storage: .internal), "Apple M4 Pro", 7.7e9, nil),
    (TargetRecord(storage: .internal), "Apple M1", 8e9, "faster_than_storage"),
    (TargetRecord(storage: .internal), "Apple M1", 3.4e9, nil),
    (TargetRecord(storage: .internal), "Apple M1 Max", 8e9, nil),
    (TargetRecord(storage: .internal), "Apple M3 Ultra", 40e9, nil),
    (TargetRecord(storage: .internal), "Apple M5 Max", 17.8e9, nil),
    (TargetRecord(storage: .internal), "Apple M5 Max", 23e9, "faster_than_storage"),
    (TargetRecord(storage: .internal), "Apple M9", 90e9, nil),
    (TargetRecord(storage: .usb4), "Apple M4", 6.2e9, "faster_than_link"),
    (TargetRecord(storage: .thunderbolt5, linkSpeed: 80e9), "Apple M4 Pro", 9e9, nil),
    (TargetRecord(storage: .network), "Apple M4", 90e9, nil),
    (TargetRecord(storage: .diskImage, image: ImageRecord(host: ImageHost(storage: .usb3, linkSpeed: 10e9))), "Apple M4", 2e9, "faster_than_link"),
    (TargetRecord(storage: .diskImage, image: ImageRecord(host: ImageHost(storage: .internal))), "Apple M1", 10.8e9, "faster_than_storage"),
  ] as [(TargetRecord, String, Double, String?)])
  func limits(target: TargetRecord, chip: String, speed: Double, code: String?) {
    let series = [Series(metric: .diskReadAverage, values: [1, speed, speed]), Series(metric: .diskTrimSpeed, values: [1e12])]
    #expect(StorageLimit.warnings(series, on: target, chip: chip).map(\.code.rawValue) == [code].compactMap { $0 })
  }

  @Test("remedies for imports are options of the tool, and links below 1 Gb/s are in Mb/s")
  func words() {
    let warning = Warning(.cacheNotBypassed)
    #expect(warning.advice(importedFrom: "fio").hasSuffix("Measure again with --direct=1."))
    #expect(warning.advice(importedFrom: "sysbench").hasSuffix("Measure again with --file-extra-flags=direct."))
    #expect(!warning.advice(importedFrom: "Geekbench").contains("directory"))
    #expect(warning.advice().hasSuffix("Choose a directory on an ordinary disk."))
    #expect([480e6, 1e9, 2.5e9, 40e9].map(Figures.bitRate) == ["480 Mb/s", "1 Gb/s", "2.5 Gb/s", "40 Gb/s"])
  }
}

import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Imports

/// Results of other tools that real people published. Expectations come from reading the files.
@Suite(Captures.counted)
struct ImportsCaptureTests {
  private func read(_ name: String) throws -> [ImportedRun] {
    try ImportedRuns.read(try Captures.data("benchmarks/" + name))
  }

  private func values(_ run: ImportedRun) -> [String: [Double]] {
    Dictionary(run.series.map { ($0.metric.rawValue, $0.values) }) { first, _ in first }
  }

  @Test("sysbench fileio")
  func sysbench() throws {
    let mixed = try #require(try read("unidentified-47567702461__imac_i9_sysbench_rndrw.txt").first)
    #expect(mixed.tool == Tool(name: "sysbench", version: "1.0.20"))
    #expect(mixed.method.name == "sysbench-rndrw")
    #expect(values(mixed) == ["disk.read_average": [889.71 * 1_048_576], "disk.write_average": [593.14 * 1_048_576]])
    #expect(
      mixed.method.parameters == [
        "threads": 8, "block_size": 16384, "total_size": .integer(5 << 30), "files": 128, "io_mode": "synchronous",
      ])
    #expect(mixed.warnings == [Warning(.cacheNotBypassed)])
    let rewrite = try #require(try read("sysbench247__seqrewr_1.0.txt").first)
    #expect(rewrite.method.name == "sysbench-seqrewr")
    #expect(rewrite.tool.version == nil)
    #expect(values(rewrite) == ["disk.write_average": [43.88 * 1_048_576]])
    #expect(try read("unidentified-19155188061__linux_docker_sysbench_seqwr.txt")[0].method.name == "sysbench-seqwr")
    let prepare = try read("unidentified-47567702461__imac_i9_sysbench_prepare.txt")
    #expect(prepare.map(\.method.name) == ["sysbench-prepare"])
    #expect(values(prepare[0]) == ["disk.write_average": [506.40 * 1_048_576]])
  }

  @Test("fio")
  func fio() throws {
    let runs = try read("unidentified-48489187717__macos_fio339_randwrite.json")
    #expect(runs.count == 1)
    #expect(runs[0].tool == Tool(name: "fio", version: "3.39"))
    #expect(runs[0].method.name == "fio-randwrite")
    #expect(values(runs[0]) == ["disk.write_average": [20_092_474]])
    #expect(runs[0].method.parameters?["block_size"] == 1024)
    #expect(runs[0].method.parameters?["io_depth"] == 8)
    #expect(runs[0].method.parameters?["direct"] == true)
    #expect(runs[0].finishedAt == Timestamp(rawValue: "2025-03-05T21:04:36.700Z"))
    #expect(runs[0].warnings.isEmpty)
  }

  @Test("AmorphousDiskMark")
  func diskMark() throws {
    let runs = try read("hkatsura__amorphousdiskmark_text_format.txt")
    #expect(
      runs.map(\.method.name) == [
        "amorphousdiskmark-seq1m-qd32", "amorphousdiskmark-seq1m-qd1", "amorphousdiskmark-rnd4k-qd32",
        "amorphousdiskmark-rnd4k-qd1",
      ])
    #expect(values(runs[0]) == ["disk.read_average": [471.21e6], "disk.write_average": [324.32e6]])
    #expect(runs[3].method.parameters == ["block_size": 4096, "io_depth": 1, "file_size": .integer(1 << 30), "repetitions": 5])
    #expect(runs[0].tool == Tool(name: "AmorphousDiskMark", version: "4.0.1"))
    #expect(runs[0].stated == ImportedRun.Stated(osVersion: "10.14.6", osBuild: "18G103", device: "APPLE SSD SM0512F", system: "macos", smallestWrite: 1_048_576))
    #expect(runs[0].startedAt == Timestamp(rawValue: "2019-10-15T04:09:09.000Z"))
  }

  @Test("powermetrics kept in a file")
  func power() throws {
    let run = try #require(
      try ImportedRuns.read(try Captures.data("powermetrics/mlco2__codecarbon_m1air_21G115_cpu_power.txt")).first)
    #expect(run.suite == "power")
    #expect(run.stated.model == "MacBookAir10,1")
    #expect(run.traces.map(\.kind) == ["power", "cpu", "core"])
    #expect(run.series.map(\.metric.rawValue) == ["power.cpu_max"])
  }

  @Test("anything but a known tool's result is refused")
  func refused() throws {
    for name in ["sysctl/zacky1972__m1_sysctl_hw.txt", "system_profiler/EverydayOpen__tirekick_m1_SPHardware.json"] {
      #expect(throws: ImportError.unrecognised) { try ImportedRuns.read(try Captures.data(name)) }
    }
  }
}

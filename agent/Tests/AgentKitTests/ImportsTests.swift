import Foundation
import Testing

@testable import AgentKit

/// Imports of other tools' results, on examples of our own.
@Suite struct ImportsTests {
  private func read(_ name: String, names: [String] = []) throws -> [ImportedRun] {
    try ImportedRuns.read(try Fixtures.data(name), names: names)
  }

  private func values(_ run: ImportedRun) -> [String: [Double]] {
    Dictionary(run.series.map { ($0.metric.rawValue, $0.values) }) { first, _ in first }
  }

  @Test("sysbench 0.4, where Mb means MiB, and 1.1, which prints both")
  func sysbench() throws {
    let old = try #require(try read("sysbench_0.4.txt").first)
    #expect(old.tool.version == "0.4.12")
    #expect(old.method.name == "sysbench-rndrw")
    #expect(
      values(old) == ["disk.read_average": [9.375 * 1_048_576], "disk.write_average": [6.25 * 1_048_576]])
    #expect(old.method.parameters?["total_size"] == .integer(3 << 30))
    #expect(old.method.parameters?["block_size"] == 16384)
    let new = try #require(try read("sysbench_1.1.txt").first)
    #expect(new.tool.version == "1.1.0-df89d34")
    #expect(new.method.name == "sysbench-seqrd")
    #expect(values(new) == ["disk.read_average": [1_048_576_000]])
    #expect(new.warnings.isEmpty)
    let both = try ImportedRuns.read(try Fixtures.data("sysbench_0.4.txt") + Fixtures.data("sysbench_1.1.txt"))
    #expect(both.map(\.method.name) == ["sysbench-rndrw", "sysbench-seqrd"])
  }

  @Test("fio: groups of jobs, latency, and a block size that fio misread")
  func fio() throws {
    let runs = try read("fio_groups.json")
    #expect(runs.map(\.method.name) == ["fio-randread", "fio-write", "fio-write"])
    #expect(values(runs[0]) == ["disk.read_average": [40_960_000], "disk.latency": [0.0001]])
    #expect(runs[0].series.last?.parameters == ["test": "random_read_qd1"])
    #expect(runs[0].warnings.isEmpty)
    // Two jobs at once: all their bytes over the longer one's time.
    #expect(values(runs[1]) == ["disk.write_average": [1_048_576_000]])
    #expect(runs[1].method.parameters?["jobs"] == 2)
    #expect(runs[1].method.parameters?["block_size"] == 1_048_576)
    #expect(runs[2].method.parameters?["block_size"] == 1)
    #expect(runs[2].warnings.map(\.code) == [.cacheNotBypassed, .inconsistent])
  }

  @Test("hyperfine: names given, command lines never kept")
  func hyperfine() throws {
    let runs = try read("hyperfine.json", names: ["full build"])
    #expect(runs.count == 2)
    #expect(runs[0].series == [Series(metric: .workloadDuration, parameters: ["test": "full build"], values: [1.9, 2.1])])
    #expect(runs[0].method.parameters == ["threads": 4])
    #expect(runs[1].series[0].parameters == ["test": "command 2"])
    #expect(runs[1].warnings.map(\.code) == [.toolVersionUnstated, .incomplete])
  }

  @Test("Geekbench, text and JSON")
  func geekbench() throws {
    for name in ["geekbench.txt", "geekbench.json"] {
      let run = try #require(try read(name).first)
      #expect(run.tool == Tool(name: "Geekbench", version: "6.5.0"))
      #expect(run.method.name == "geekbench-6")
      #expect(
        run.series == [
          Series(metric: .scoreValue, parameters: ["test": "Single-Core"], values: [3850]),
          Series(metric: .scoreValue, parameters: ["test": "Multi-Core"], values: [22450]),
        ])
    }
  }

  @Test("AmorphousDiskMark of zeros is another method")
  func diskMark() throws {
    let runs = try read("diskmark.txt")
    #expect(runs.map(\.method.name) == ["amorphousdiskmark-seq1m-qd32-zero-fill", "amorphousdiskmark-rnd4k-qd1-zero-fill"])
    #expect(values(runs[0]) == ["disk.read_average": [6471.21e6], "disk.write_average": [5324.32e6]])
    #expect(runs[0].stated.chip == "Apple M4 Pro")
  }

  @Test("powermetrics, and what is nothing of the kind")
  func others() throws {
    #expect(try read("powermetrics.plist")[0].series == [Series(metric: .powerCPUMaximum, values: [2.673])])
    #expect(throws: ImportError.unrecognised) { try read("sysctl_super.txt") }
    #expect(throws: ImportError.unrecognised) { try ImportedRuns.read(Data()) }
    let empty = #"{"fio version":"fio-3.41","jobs":[]}"#
    #expect(throws: ImportError.nothingMeasured(tool: "fio")) { try ImportedRuns.read(Data(empty.utf8)) }
  }

  @Test("every method's name and warning is one a server takes")
  func names() throws {
    let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789_.+-")
    for name in try Fixtures.all() {
      for run in (try? read(name)) ?? [] {
        let words = [run.suite, run.method.name] + run.traces.map(\.kind) + run.warnings.map(\.code.rawValue)
        for word in words { #expect(word.unicodeScalars.allSatisfy(allowed.contains) && word.count <= 64) }
        #expect(run.traces.allSatisfy { trace in trace.rows.allSatisfy { $0.count == trace.columns.count } })
      }
    }
  }
}

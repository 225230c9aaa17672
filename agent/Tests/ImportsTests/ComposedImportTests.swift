import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Imports

/// The oddities of ImportsCaptureTests in composed results, with tests of the same names.
@Suite struct ComposedImportTests {
  private func read(_ text: String) throws -> [ImportedRun] { try ImportedRuns.read(Data(text.utf8)) }

  private func values(_ run: ImportedRun) -> [String: [Double]] {
    Dictionary(run.series.map { ($0.metric.rawValue, $0.values) }) { first, _ in first }
  }

  /// sysbench 1.0's report of a test.
  private func report(_ doing: String, read: String, written: String, heading: String = "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\n") -> String {
    """
    \(heading)Running the test with following options:
    Number of threads: 8
    Initializing random number generator from current time


    Extra file open flags: (none)
    128 files, 40MiB each
    5GiB total file size
    Block size 16KiB
    Using synchronous I/O mode
    Doing \(doing) test
    Initializing worker threads...

    Threads started!


    File operations:
        reads/s:                      1000.00
        writes/s:                     500.00
        fsyncs/s:                     121490.00

    Throughput:
        read, MiB/s:                  \(read)
        written, MiB/s:               \(written)

    General statistics:
        total time:                          60.0010s
    """
  }

  @Test("sysbench fileio: both ways, one way, without a line of its version, and preparing")
  func sysbench() throws {
    let mixed = try #require(try read(report("random r/w", read: "800.50", written: "400.25")).first)
    #expect(mixed.tool == Tool(name: "sysbench", version: "1.0.20"))
    #expect(mixed.method.name == "sysbench-rndrw")
    #expect(values(mixed) == ["disk.read_average": [800.5 * 1_048_576], "disk.write_average": [400.25 * 1_048_576]])
    #expect(mixed.method.parameters?["threads"] == 8)
    #expect(mixed.method.parameters?["files"] == 128)
    #expect(mixed.warnings.map(\.code).contains(.cacheNotBypassed))
    let rewrite = try #require(try read(report("sequential rewrite", read: "0.00", written: "44.00", heading: "")).first)
    #expect(rewrite.method.name == "sysbench-seqrewr")
    #expect(rewrite.tool.version == nil)
    #expect(values(rewrite) == ["disk.write_average": [44 * 1_048_576.0]])
    #expect(try read(report("sequential write (creation)", read: "0.00", written: "50.00"))[0].method.name == "sysbench-seqwr")
    let prepare = "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\n128 files, 40960Kb each, 5120Mb total\nCreating files for the test...\nExtra file open flags: (none)\nCreating file test_file.0\n5368709120 bytes written in 10.00 seconds (512.00 MiB/sec).\n"
    let prepared = try read(prepare)
    #expect(prepared.map(\.method.name) == ["sysbench-prepare"])
    #expect(values(prepared[0]) == ["disk.write_average": [512 * 1_048_576.0]])
  }

  @Test("fio's JSON on a Mac: kilobyte blocks, no word on disk use")
  func fio() throws {
    let text = """
      {"fio version": "fio-3.39", "timestamp": 1741208676, "timestamp_ms": 1741208676700, "time": "Wed Mar  5 21:04:36 2025",
       "global options": {"ioengine": "posixaio", "direct": "1", "bs": "1k", "iodepth": "8", "rw": "randwrite"},
       "jobs": [{"jobname": "x", "error": 0, "job options": {"rw": "randwrite"},
         "read": {"io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "iops": 0, "total_ios": 0},
         "write": {"io_bytes": 20480000, "io_kbytes": 20000, "bw_bytes": 20480000, "iops": 20000, "runtime": 1000, "total_ios": 20000}}]}
      """
    let runs = try read(text)
    #expect(runs.map(\.method.name) == ["fio-randwrite"])
    #expect(runs[0].tool == Tool(name: "fio", version: "3.39"))
    #expect(values(runs[0]) == ["disk.write_average": [20_480_000]])
    #expect(runs[0].method.parameters?["block_size"] == 1024)
    #expect(runs[0].method.parameters?["io_depth"] == 8)
  }

  @Test("AmorphousDiskMark's text")
  func diskMark() throws {
    let runs = try ImportedRuns.read(try Fixtures.data("diskmark.txt"))
    #expect(runs.allSatisfy { $0.tool.name == "AmorphousDiskMark" && $0.method.name.hasPrefix("amorphousdiskmark-") })
    #expect(!runs.isEmpty)
  }

  @Test("powermetrics kept in a file")
  func power() throws {
    let run = try #require(try ImportedRuns.read(try Fixtures.data("powermetrics.txt")).first)
    #expect(run.suite == "power")
    #expect(run.stated.model == "Mac99,7")
    #expect(run.traces.map(\.kind) == ["power", "gpu", "cpu", "core"])
  }

  @Test("anything but a known tool's result is refused")
  func refused() throws {
    for name in ["sysctl_super.txt", "hardware_super.json"] {
      #expect(throws: ImportError.unrecognised) { try ImportedRuns.read(try Fixtures.data(name)) }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Imports

/// Imports of other tools' results, from our own examples.
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
    // Two concurrent jobs: total bytes divided by the longer one's time.
    #expect(values(runs[1]) == ["disk.write_average": [1_048_576_000]])
    #expect(runs[1].method.parameters?["jobs"] == 2)
    #expect(runs[1].method.parameters?["block_size"] == 1_048_576)
    #expect(runs[2].method.parameters?["block_size"] == 1)
    #expect(runs[2].warnings.map(\.code) == [.cacheNotBypassed, .inconsistent])
  }

  @Test("fio's depth is the one it kept; clones of a job don't count as one; an engine's file is private")
  func fioDepth() throws {
    func run(_ options: String, levels: String) throws -> ImportedRun {
      let read =
        #""io_bytes": 40960000, "io_kbytes": 40000, "bw_bytes": 40960000, "total_ios": 10000, "runtime": 1000, "lat_ns": {"mean": 100000.0}"#
      let job = #""job options": {"rw": "randread", "bs": "4k", \#(options)}, "read": {\#(read)}, "iodepth_level": {\#(levels)}"#
      return try #require(try ImportedRuns.read(Data(#"{"fio version": "fio-3.41", "jobs": [{\#(job)}]}"#.utf8)).first)
    }
    let waiting = try run(#""ioengine": "external:/Users/neversent/e.so", "iodepth": "32""#, levels: #""1": 100.0"#)
    #expect(waiting.method.parameters?["io_depth"] == 1)
    #expect(waiting.method.parameters?["io_engine"] == "external")
    #expect(waiting.series.last?.parameters == ["test": "random_read_qd1"])
    let deep = try run(#""ioengine": "posixaio", "iodepth": "32""#, levels: #""1": 0.1, "32": 99.9"#)
    #expect(deep.series.last?.parameters == ["test": "random_read_qd32"])
    #expect(try run(#""iodepth": "1", "numjobs": "4""#, levels: #""1": 100.0"#).series.map(\.metric) == [.diskReadAverage])
  }

  @Test("hyperfine: names given, command lines never kept")
  func hyperfine() throws {
    let runs = try read("hyperfine.json", names: ["full build"])
    #expect(runs.count == 2)
    #expect(runs[0].series == [Series(metric: .workloadDuration, parameters: ["test": "full build"], values: [1.9, 2.1])])
    #expect(runs[0].method.parameters == ["threads": 4])
    #expect(runs[1].series[0].parameters == ["test": "command 2"])
    #expect(runs[1].warnings.map(\.code) == [.toolVersionUnstated, .incomplete])
    // A repetition ended by a signal has no exit code.
    let killed = #"{"results": [{"command": "x", "times": [1.0, 1.1], "exit_codes": [0, null]}]}"#
    #expect(try ImportedRuns.read(Data(killed.utf8))[0].warnings.last?.code == .incomplete)
  }

  @Test("moments count with the zone they are written with, and not without one", arguments: [
    ("2019-10-15T04:09:09Z", "2019-10-15T04:09:09.000Z"), ("2026-11-20T10:00:00.250+01:00", "2026-11-20T09:00:00.250Z"),
    ("2026-11-20 10:00:00 +0900", "2026-11-20T01:00:00.000Z"), ("2026-11-20 10:00 -03", "2026-11-20T13:00:00.000Z"),
    ("Fri Nov 10 12:37:08 2023 +0100", "2023-11-10T11:37:08.000Z"), ("Sat Nov  8 15:54:21 UTC 2025", "2025-11-08T15:54:21.000Z"),
    ("2026-11-20T10:00:00.882Z", "2026-11-20T10:00:00.882Z"), ("2026-11-20T10:00:00.5Z", "2026-11-20T10:00:00.500Z"),
    ("2026-11-20T10:00:00.9999Z", "2026-11-20T10:00:00.999Z"), ("Fri\u{a0}Nov 20 10:00:00\u{202f}PM UTC 2026", "2026-11-20T22:00:00.000Z"),
    ("2026-11-20\u{202f}12:05:00\u{a0}AM\u{202f}+0100", "2026-11-19T23:05:00.000Z"), ("Sat 21 Nov 10:00:00 UTC 2026", "2026-11-21T10:00:00.000Z"),
    ("2026-11-20 13:00:00 PM +0000", nil), ("2026-11-20T10:00:00.Z", nil), ("2026-11-20T10:00:00.1x2Z", nil),
    ("2026-11-20T10:00:00", nil), ("Wed Mar  5 22:04:36 2025", nil), ("Wed Mar  5 22:04:36 CST 2025", nil),
    ("2026-02-30T10:00:00Z", nil), ("2026-11-20T24:00:00Z", nil), ("2026-11-20T10:60:00Z", nil), ("2026-11-20T10:00:00+15:00", nil),
    ("2026-11-20T10:00:00+01:0", nil), ("99999999999-1-1T1:1:1Z", nil), ("2026-11-20", nil), ("", nil),
  ])
  func moments(text: String, read: String?) {
    #expect(Moment.read(text)?.rawValue == read)
  }

  @Test("a tool's date is the run's, where the file says its zone")
  func dates() throws {
    let dated = "Sat Nov 21 10:00:00 2026 +0100\n" + String(decoding: try Fixtures.data("sysbench_0.4.txt"), as: UTF8.self)
    #expect(try ImportedRuns.read(Data(dated.utf8)).map(\.startedAt) == [Timestamp(rawValue: "2026-11-21T09:00:00.000Z")])
    let geekbench = #"{"version": "Geekbench 6.5.0", "score": 2000, "multicore_score": 9000, "date": "2026-11-21T10:00:00-08:00"}"#
    #expect(try ImportedRuns.read(Data(geekbench.utf8)).first?.startedAt == Timestamp(rawValue: "2026-11-21T18:00:00.000Z"))
    let old = #"{"fio version": "fio-2.2", "timestamp": 1741208676, "time": "Wed Mar 5 22:04:36 2025", "jobs": [{"read": {"io_bytes": 0}, "write": {"io_bytes": 8, "bw": 8}}]}"#
    #expect(try ImportedRuns.read(Data(old.utf8)).first?.finishedAt == Timestamp(rawValue: "2025-03-05T21:04:36.000Z"))
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
    let redacted = try Fixtures.text("diskmark.txt").replacingOccurrences(of: #"macOS \S+.*"#, with: "macOS xx.x [redacted]", options: .regularExpression)
    #expect(try ImportedRuns.read(Data(redacted.utf8))[0].stated.osVersion == nil)
  }

  @Test("what editors, regions, notes and other versions make of the same results")
  func otherForms() throws {
    func read(_ text: String) throws -> [ImportedRun] { try ImportedRuns.read(Data(text.utf8)) }
    let mark = try Fixtures.text("diskmark.txt")
    let wanted = try ImportedRuns.read(Data(mark.utf8))
    let sixteen = mark.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(try ImportedRuns.read(Data([0xff, 0xfe] + sixteen)) == wanted)
    #expect(try read("\u{feff}" + mark.replacingOccurrences(of: "\n", with: "\r\n")) == wanted)
    #expect(
      try read(mark.replacingOccurrences(of: "(QD=  32)", with: "QD32").replacingOccurrences(of: "Sequential W", with: "Sequantial W"))
        == wanted)
    #expect(try read(mark.replacingOccurrences(of: ".21 MB", with: ",21 MB")) == wanted)
    let old = try Fixtures.text("sysbench_0.4.txt")
    #expect(try read(old.replacingOccurrences(of: #"([0-9])\.([0-9]+(Mb|s)\b)"#, with: "$1,$2", options: .regularExpression)) == (try read(old)))
    let fio = try Fixtures.text("fio_groups.json")
    let output = String(fio[(fio.firstIndex(of: "{") ?? fio.startIndex)...])
    let noted = "Jobs: 1 (f=1): [W(1)][100.0%][w=1953MiB/s][eta 00m:00s]\n" + output
    #expect(try read(noted) == (try read(fio)))
    #expect(try read(fio + "\n" + output).count == 6)
    let clients = output.replacingOccurrences(of: "\"jobs\": [", with: "\"client_stats\": [{\"jobname\": \"All clients\", \"groupid\": 9}, ")
    #expect(try read(clients) == (try read(fio)))
  }

  @Test("Geekbench says which machine it was: another one's scores are not this one's")
  func geekbenchMachine() throws {
    let text = """
      Geekbench 6.5.0 : https://www.geekbench.com/
      System Information
        Operating System              macOS 15.5 (Build 24F74)
        Model                         MacBook Pro (14-inch, 2021)
        Motherboard                   MacBookPro18,3
      CPU Information
        Name                          Apple M1 Pro @ 3.23 GHz
        Multi-Core Score              12,345

      """
    let run = try #require(try ImportedRuns.read(Data(text.utf8)).first)
    #expect(run.stated == ImportedRun.Stated(model: "MacBookPro18,3", chip: "Apple M1 Pro", osVersion: "15.5", osBuild: "24F74", system: "macos"))
    #expect(values(run) == ["score.value": [12345]])
    let json = #"{"version": "Geekbench 6.7.1", "score": 4000, "metrics": [{"name": "Processor", "value": "AMD Ryzen 9 7950X"}, {"name": "Operating System", "value": "Windows 11"}], "sections": [{"name": "OpenCL", "score": 4000}]}"#
    let other = try #require(try ImportedRuns.read(Data(json.utf8)).first)
    #expect(other.stated == ImportedRun.Stated(chip: "AMD Ryzen 9 7950X", system: "windows"))
    #expect(other.series.first?.parameters == ["test": "OpenCL"])
    let parts = "Geekbench 6.5.0\n  Single-Core Score  3000\n  Integer Score  2900\n  Multi-Core Score  9000\n  Integer Score  8800\n"
    #expect(values(try #require(try ImportedRuns.read(Data(parts.utf8)).first)).count == 1)
    #expect(try ImportedRuns.read(Data(parts.utf8))[0].series.map(\.values) == [[3000], [9000]])
    #expect(throws: ImportError.nothingMeasured(tool: "Geekbench")) {
      try ImportedRuns.read(Data("Geekbench 5.4.1\nSingle-Core Score,1700\n".utf8))
    }
  }

  @Test("powermetrics: the first sample's time and the last one's")
  func samplingTimes() throws {
    let sample = { (time: String) in
      "*** Sampled system activity (\(time)) (100.00ms elapsed) ***\n\n**** Processor usage ****\n\nCPU Power: 50 mW\n\n"
    }
    let text = sample("Fri Nov 10 12:37:08 2023 +0100") + sample("Fri Nov 10 12:37:09 2023 +0100")
    let run = try #require(try ImportedRuns.read(Data(text.utf8)).first)
    #expect(run.startedAt?.rawValue == "2023-11-10T11:37:08.000Z")
    #expect(run.finishedAt?.rawValue == "2023-11-10T11:37:09.000Z")
  }

  @Test("powermetrics, and what is nothing of the kind")
  func others() throws {
    #expect(try read("powermetrics.plist")[0].series == [Series(metric: .powerCPUMaximum, values: [2.673])])
    #expect(throws: ImportError.unrecognised) { try read("sysctl_super.txt") }
    #expect(throws: ImportError.empty) { try ImportedRuns.read(Data()) }
    let empty = #"{"fio version":"fio-3.41","jobs":[]}"#
    #expect(throws: ImportError.nothingMeasured(tool: "fio")) { try ImportedRuns.read(Data(empty.utf8)) }
  }

  @Test("powermetrics of which only some lines were kept")
  func filtered() throws {
    func highest(_ text: String) throws -> [Double]? { try ImportedRuns.read(Data(text.utf8)).first?.series.first?.values }
    #expect(try highest("CPU Power: 954 mW\nCPU Power: 31109 mW\nCPU Power: 12 mW\n") == [31.109])
    let lines = "E-Cluster HW active frequency: 1020 MHz\nCPU Power: 1,5 W\nGPU Power: 1 mW\nGPU Power: 2 mW\n"
    let run = try #require(try ImportedRuns.read(Data((lines + lines).utf8)).first)
    #expect(run.traces.map(\.kind) == ["power", "cpu"])
    #expect(run.traces.map(\.rows.count) == [2, 2])
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

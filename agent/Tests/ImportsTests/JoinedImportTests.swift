import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Imports

/// Several results in one file, results without their start or end, and damaged ones.
@Suite struct JoinedImportTests {
  private func read(_ text: String) throws -> [ImportedRun] { try ImportedRuns.read(Data(text.utf8)) }

  private func header(_ model: String, _ build: String) -> String {
    "Machine model: \(model)\nOS version: \(build)\nBoot arguments: \nBoot time: Fri Nov 10 10:00:00 2023\n\n"
  }

  private func sample(_ time: String, _ power: Int) -> String {
    """

    *** Sampled system activity (\(time)) (1000.00ms elapsed) ***

    **** Processor usage ****

    E-Cluster HW active frequency: 1020 MHz
    E-Cluster HW active residency:  50.00% (1020 MHz:  50%)
    CPU 0 frequency: 1020 MHz
    CPU 0 active residency:  25.00% (1020 MHz:  25%)
    CPU Power: \(power) mW

    """
  }

  private func recording(_ day: String, _ powers: [Int]) -> String {
    powers.enumerated().map { sample("\(day) 12:00:0\($0) 2025 +0100", $1) }.joined()
  }

  @Test("recordings of two Macs are two runs, each of its own Mac and time")
  func twoMacs() throws {
    let first = header("Mac15,12", "24F74") + recording("Sat Nov  8", [100, 200])
    let second = header("Macmini9,1", "20D80") + sample("Wed Feb  3 08:00:00 2021 +0000", 300)
    let runs = try read(first + second)
    #expect(runs.map(\.stated.model) == ["Mac15,12", "Macmini9,1"])
    #expect(runs.map(\.stated.osBuild) == ["24F74", "20D80"])
    #expect(runs.map { $0.method.parameters?["samples"] } == [2, 1])
    #expect(runs.map { $0.series[0].values } == [[0.2], [0.3]])
    for run in runs {
      #expect((run.startedAt?.rawValue ?? "") <= (run.finishedAt?.rawValue ?? ""))
      #expect(run.warnings.isEmpty)
    }
  }

  @Test("one Mac's recordings are runs of their own, in whatever order they were joined")
  func oneMac() throws {
    let monday = recording("Mon Nov 10", [100, 200])
    let sunday = recording("Sun Nov  9", [300])
    // Restarted, or with only the samples kept: then the time shows it.
    for text in [header("Mac15,12", "24F74") + monday + header("Mac15,12", "24F74") + sunday, monday + sunday] {
      let runs = try read(text)
      #expect(runs.map { $0.method.parameters?["samples"] } == [2, 1])
      #expect(runs.map(\.startedAt?.rawValue) == ["2025-11-10T11:00:00.000Z", "2025-11-09T11:00:00.000Z"])
    }
    // Task names start no recording.
    let tasks = "*** Running tasks ***\n\nName ID CPU ms/s\nMachine model: x 1 2.00\n"
    #expect(try read(header("Mac15,12", "24F74") + sample("Mon Nov 10 12:00:00 2025 +0100", 1) + tasks + monday).count == 1)
  }

  @Test("the one that ends within a sample says so")
  func cutInBetween() throws {
    let first = header("Mac15,12", "24F74") + recording("Sat Nov  8", [100, 200])
    let cut = first.components(separatedBy: "CPU 0 frequency").dropLast().joined(separator: "CPU 0 frequency")
    let runs = try read(cut + header("Macmini9,1", "20D80") + recording("Sun Nov  9", [5]))
    #expect(runs.map { $0.warnings.map(\.code) } == [[.incomplete], []])
  }

  private func document(_ model: String, _ second: Int, _ power: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>is_delta</key><true/><key>elapsed_ns</key><integer>1000000000</integer>
    <key>hw_model</key><string>\(model)</string><key>kern_osversion</key><string>24F74</string>
    <key>timestamp</key><date>2025-11-08T10:00:0\(second)Z</date>
    <key>processor</key><dict><key>cpu_power</key><real>\(power)</real></dict>
    </dict></plist>

    """
  }

  @Test("property lists of two Macs are two runs")
  func propertyLists() throws {
    let runs = try read([document("Mac15,12", 5, 100), document("Mac15,12", 6, 200), document("Macmini9,1", 1, 300)].joined(separator: "\0"))
    #expect(runs.map(\.stated.model) == ["Mac15,12", "Macmini9,1"])
    #expect(runs.map { $0.series[0].values } == [[0.2], [0.3]])
  }

  @Test("a stream of property lists that begins within one is incomplete, wherever that is", arguments: [
    "<key>hw_model", "Mac15,12</string>", "eger>", "</dict></plist>", "plist>",
  ])
  func beginsWithin(mark: String) throws {
    let first = document("Mac15,12", 1, 100)
    let place = try #require(first.range(of: mark))
    for gap in ["\0", "\n\0", "\n"] {
      let rest = first[place.lowerBound...].trimmingCharacters(in: .newlines)
      let run = try #require(try read(rest + gap + document("Mac15,12", 2, 200) + "\0" + document("Mac15,12", 3, 300)).first)
      #expect(run.method.parameters?["samples"] == 2, "\(mark)")
      #expect(run.warnings.map(\.code) == [.incomplete], "\(mark)")
    }
    // Something else may precede a whole one.
    #expect(try read("Password:\n" + first)[0].warnings.isEmpty)
  }

  @Test("a second sysbench that is cut off is reported, not dropped")
  func sysbench() throws {
    let whole = try Fixtures.text("sysbench_1.1.txt")
    let half = whole.components(separatedBy: "Throughput:")[0]
    #expect(half.count < whole.count)
    let runs = try read(whole + half)
    #expect(runs.count == 1)
    #expect(runs[0].warnings.map(\.code) == [.incomplete])
    #expect(try read(half + whole)[0].warnings.map(\.code) == [.incomplete])
    #expect(try read(whole + whole).map { $0.warnings.count } == [0, 0])
  }

  @Test("several results of Geekbench or AmorphousDiskMark are runs of their own")
  func severalTexts() throws {
    let scores = try Fixtures.text("geekbench.txt")
    let other = scores.replacingOccurrences(of: "3850", with: "2000")
    let runs = try read(scores + "\n" + other)
    #expect(runs.map { $0.series[0].values[0] } == [3850, 2000])
    let marks = try Fixtures.text("diskmark.txt")
    let once = try read(marks)
    let twice = try read(marks + "\n" + marks)
    #expect(twice.map(\.series) == once.map(\.series) + once.map(\.series))
  }

  @Test("a number that fio could not compute is missing, and the run says which", arguments: ["nan", "-nan", "inf"])
  func notANumber(word: String) throws {
    func text(_ deviation: String, _ mean: String) -> String {
      """
      {"fio version": "fio-3.26", "jobs": [{"job options": {"rw": "randread", "direct": "1", "bs": "4k"},
        "read": {"io_bytes": 4096000, "io_kbytes": 4000, "bw_bytes": 4096000, "total_ios": 1000, "runtime": 1000,
          "lat_ns": {"mean": \(mean), "stddev": \(deviation)}}}]}
      """
    }
    let run = try #require(try read(text(word, "1000.0")).first)
    #expect(run.series.map(\.metric) == [.diskReadAverage, .diskLatency])
    #expect(run.warnings == [Warning(.incomplete, "fio has no number for stddev")])
    #expect(try read(text("1.0", word))[0].series.map(\.metric) == [.diskReadAverage])
    #expect(try read(text("1.0", "1000.0"))[0].warnings.isEmpty)
  }

  @Test("damaged output of a tool is called its tool's, with the line")
  func damaged() {
    func message(_ text: String) -> String {
      do {
        _ = try read(text)
        return ""
      } catch { return "\(error)" }
    }
    #expect(message("{\"fio version\": \"fio-3.26\",\n\"jobs\": [{\"read\": ???}]}") == "This fio output is damaged at line 2. Copy the whole file, or export it again.")
    #expect(message("{\"results\": [{\"command\": \"x\",\n\"mean\": 1,,}]}").contains("hyperfine output is damaged at line 2"))
    #expect(message("{\"fio version\": \"fio-3.26\", \"jobs\": [{").contains("fio output is cut off"))
    #expect(message("{\"a\": [").contains("JSON is cut off"))
  }

  @Test("brackets without end are refused at once")
  func brackets() {
    for text in ["[", "{\"a\":", "[\n"] {
      #expect(throws: ImportError.self) { try read(String(repeating: text, count: 300_000)) }
    }
  }
}

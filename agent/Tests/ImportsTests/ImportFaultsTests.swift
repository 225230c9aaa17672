import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Imports
@testable import MacTools

/// Files that are cut off, duplicated, formatted differently, longer than a document, or another
/// machine's.
@Suite struct ImportFaultsTests {
  private func read(_ text: String, format: String? = nil) throws -> [ImportedRun] {
    try ImportedRuns.read(Data(text.utf8), format: format)
  }

  private func sample(_ time: String, _ power: Int, elapsed: String = "1000.00") -> String {
    """
    *** Sampled system activity (\(time)) (\(elapsed)ms elapsed) ***

    **** Processor usage ****

    E-Cluster HW active frequency: 1020 MHz
    E-Cluster HW active residency:  50.00% (1020 MHz:  50%)
    E-Cluster idle residency:  50.00%
    CPU 0 frequency: 1020 MHz
    CPU 0 active residency:  25.00% (1020 MHz:  25%)
    CPU 0 idle residency:  75.00%
    CPU Power: \(power) mW

    """
  }

  private let times = (0..<10).map { "Fri Nov 10 12:37:0\($0) 2023 +0100" }

  // MARK: cut files

  @Test("a file that ends anywhere tells nothing that the whole one does not", arguments: [
    "powermetrics.txt", "powermetrics.plist", "geekbench.txt", "geekbench.json", "diskmark.txt", "sysbench_0.4.txt",
    "sysbench_1.1.txt", "fio_groups.json", "hyperfine.json",
  ])
  func endsAnywhere(name: String) throws {
    let whole = try Fixtures.data(name)
    let runs = try ImportedRuns.read(whole)
    let figures = Set(runs.flatMap { run in run.series.map { [run.method.name, $0.metric.rawValue, "\($0.values)"] } })
    let rows = Set(runs.flatMap(\.traces).flatMap(\.rows).joined())
    let tail = whole.count > 4000 ? whole.count - 2500 : 1
    for end in tail..<whole.count {
      for run in (try? ImportedRuns.read(whole.prefix(end))) ?? [] where !run.method.name.hasSuffix("-unstated-data") {
        // The highest of fewer samples may be a different one.
        for series in run.series where run.suite != "power" {
          #expect(figures.contains([run.method.name, series.metric.rawValue, "\(series.values)"]), "\(name) cut at \(end)")
        }
        for cell in run.traces.flatMap(\.rows).joined() where cell != .missing {
          #expect(rows.contains(cell), "\(name) cut at \(end): \(cell)")
        }
      }
    }
  }

  @Test("a recording that ends or begins within a sample is incomplete, a whole one is not")
  func incomplete() throws {
    let samples = (0..<3).map { sample(times[$0], 100 + $0) }
    let whole = samples.joined()
    #expect(try read(whole)[0].warnings.isEmpty)
    for cut in ["CPU Power: 102 mW\n", "25.00% (1020 MHz:  25%)\nCPU 0 idle residency:  75.00%\nCPU Power: 102 mW\n", "2 mW\n"] {
      let run = try read(String(whole.trimmingCharacters(in: .newlines).dropLast(cut.count - 1)))[0]
      #expect(run.warnings.map(\.code) == [.incomplete], "\(cut)")
      #expect(run.warnings[0].detail?.contains("ends within a sample") == true)
    }
    // The first sample lost its heading, so the time of its readings is unknown.
    let late = try read(samples[0].split(separator: "\n").dropFirst(3).joined(separator: "\n") + "\n" + samples[1] + samples[2])[0]
    #expect(late.warnings.map(\.detail) == ["the file begins within a sample, which was left out"])
    #expect(late.startedAt?.rawValue == "2023-11-10T11:37:01.000Z")
    #expect(late.method.parameters?["samples"] == 2)
    #expect(late.traces[0].rows.map { $0[0] } == [.number(0), .number(1)])
  }

  @Test("a sample has its own heading's time or none")
  func ownTime() throws {
    let dateless = sample("x", 5) + sample(times[1], 6)
    let run = try read(dateless)[0]
    #expect(run.startedAt == nil)
    #expect(run.finishedAt?.rawValue == "2023-11-10T11:37:01.000Z")
  }

  @Test("samples that are in the file twice count once, with a warning")
  func doubled() throws {
    let samples = (0..<3).map { sample(times[$0], 100 + $0) }.joined()
    let run = try read(samples + samples)[0]
    #expect(run.method.parameters?["samples"] == 3)
    #expect(run.warnings == [Warning(.inconsistent, "3 samples are in the file twice and counted once")])
    let once = try read(samples)
    #expect(run.traces == once[0].traces)
    // Equal, but at another time.
    #expect(try read(sample(times[0], 7) + sample(times[1], 7))[0].warnings.isEmpty)
  }

  @Test("milliseconds are those that were written")
  func milliseconds() {
    for fraction in 0..<1000 {
      let text = "2026-11-20T10:00:59.\(String(repeating: "0", count: 3 - "\(fraction)".count))\(fraction)Z"
      #expect(Moment.read(text)?.rawValue == text)
      let whole = 1_795_168_859_000 + fraction
      #expect(Timestamp(Date(timeIntervalSince1970: Double(whole) / 1000)) == Timestamp(milliseconds: whole))
    }
    #expect(Timestamp(milliseconds: -1).rawValue == "1969-12-31T23:59:59.999Z")
  }

  // MARK: what is refused

  @Test("what cannot be read says why and what to do")
  func refused() throws {
    func message(_ data: Data) -> String {
      do {
        _ = try ImportedRuns.read(data)
        return ""
      } catch { return "\(error)" }
    }
    func message(_ text: String) -> String { message(Data(text.utf8)) }
    #expect(message("").contains("is empty"))
    #expect(message(" \n").contains("is empty"))
    let text = sample(times[0], 5)
    #expect(message(Data(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })).contains("iconv -f UTF-16LE"))
    #expect(message(Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })).contains("iconv -f UTF-16BE"))
    let tasks = "Machine model: Mac99,7\n*** Sampled system activity (x) (5.00ms elapsed) ***\n\n*** Running tasks ***\n\nName ID\nx 1\n"
    #expect(message(tasks).contains("--samplers cpu_power"))
    #expect(message(tasks + "\n**** Thermal pressure ****\n\nCurrent pressure level: Nominal\n").isEmpty == false)
    #expect(message("<plist><dict><key>is_delta</key><true/><key>elapsed_ns</key><integer>79985").contains("cut off"))
    #expect(message("Machine model: Mac99,7\n*** Sampled system activity (x) (5.00ms elapsed) ***\nCPU Power: 9").contains("cut off"))
    #expect(message(#"{"fio version": "fio-3.41", "jobs": [{"read": {"io_bytes": 79985"#).contains("fio output is cut off"))
    #expect(message("Geekbench 6.5.0\n  Single-Core Score  224").contains("cut off"))
    #expect(message(String(repeating: "nothing of the kind\n", count: 500_000)).contains("larger than 8 MB"))
  }

  @Test("a block size that fio misread gives a warning, however near to one byte it came", arguments: [
    (1.0, "1.0MB", true), (1.03, "1.0MB", true), (4096, "4k", false), (3900, "4k", false), (4096, "1M", true), (512, nil, false),
  ])
  func blockSize(block: Double, asked: String?, isTold: Bool) throws {
    let option = asked.map { #""bs": "\#($0)", "# } ?? ""
    let bytes = Int(block * 100_000)
    let text = """
      {"fio version": "fio-3.41", "jobs": [{"job options": {\(option)"rw": "write", "direct": "1"},
        "write": {"io_bytes": \(bytes), "io_kbytes": \(bytes / 1024), "bw_bytes": \(bytes), "total_ios": 100000, "runtime": 1000}}]}
      """
    let warnings = try read(text)[0].warnings
    #expect(warnings.map(\.code) == (isTold ? [.inconsistent] : []))
    #expect(warnings.allSatisfy { $0.detail?.contains("bytes at a time") == true })
  }

  @Test("fio output that is cut off after a complete one gives a warning")
  func cutOutput() throws {
    let whole = try Fixtures.text("fio_groups.json")
    let runs = try read(whole + "\n" + whole.dropLast(200))
    #expect(runs.count == 3)
    #expect(runs.last?.warnings.last?.code == .incomplete)
  }

  // MARK: long recordings

  @Test("a recording read in pieces is the same as one read whole")
  func pieces() throws {
    let text = try Fixtures.text("powermetrics.txt")
    let list = try Fixtures.text("powermetrics.plist")
    for whole in [String(repeating: text, count: 40), String(repeating: list + "\0", count: 30)] {
      let data = Data(whole.utf8)
      #expect(data.count > ImportedRuns.beginning)
      let once = try #require(try PowerMetricsImport.read(data))
      #expect(try ImportedRuns.read(data) == once)
      for size in [997, 65_537] {
        var place = 0
        let source = ImportSource(size: nil) {
          defer { place += size }
          return Array(data.dropFirst(place).prefix(size))
        }
        #expect(try ImportedRuns.read(source) == once)
      }
      let sixteen = Data([0xff, 0xfe]) + whole.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
      #expect(try ImportedRuns.read(sixteen) == once)
    }
  }

  @Test("UTF-16 in pieces keeps characters of two units whole")
  func surrogates() throws {
    let text = "a🖥b🖥c"
    let bytes: [UInt8] = [0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    for size in 2...5 {
      var encoding = try TextEncoding(beginning: bytes)
      var read: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) { read += encoding.read(Array(bytes[start..<min(start + size, bytes.count)])) }
      #expect(String(decoding: read + encoding.read([]), as: UTF8.self) == text)
    }
  }

  @Test("a recording beyond what a run holds is averaged: nothing of it is lost but detail")
  func averaged() throws {
    var recording = PowerRecording(limit: 100)
    var energy = 0.0
    for number in 0..<1001 {
      let length = 1 + Double(number % 3) / 10
      let power = Double(number % 17)
      energy += length * power
      let core = PowerSample.Core(number: 3, frequency: number % 2 == 0 ? 1e9 : 3e9, active: number % 2 == 0 ? 0.2 : 0.6, idle: 0.1)
      var one = PowerSample(elapsed: length, clusters: [PowerSample.Cluster(name: "P", active: 0.5, cores: [core])], cpuPower: power)
      if number % 10 == 0 { one.gpuPower = 4 }
      recording.take(one)
    }
    #expect(recording.count == 1001)
    #expect(recording.highestPower == 16)
    #expect(recording.clusters == ["P": 1])
    let each = recording.samplesEach
    let kept = recording.finish()
    #expect(each & (each - 1) == 0)
    #expect((13...25).contains(kept.count))
    #expect(kept.count == (1001 + each - 1) / each)
    let average = kept.reduce(0) { $0 + ($1.elapsed ?? 0) * ($1.cpuPower ?? 0) }
    #expect(abs(average - energy) < 1e-3)
    // Weighted by active time: a quarter at 1 GHz, the rest at 3.
    let frequency = try #require(kept[0].clusters[0].cores[0].frequency)
    #expect(abs(frequency / 2.5e9 - 1) < 0.03)
    #expect(kept.allSatisfy { $0.gpuPower.map { abs($0 - 4) < 1e-9 } ?? (each < 10) })
  }

  @Test("what is averaged says so, and its highest power is a single sample's")
  func averagedRun() throws {
    // Each gives four rows and needs its own time.
    let count = PowerRecording.mostRows / 4 + 10
    var text = ""
    for number in 0..<count {
      text += "*** Sampled system activity (x) (100.00ms elapsed) ***\nE-Cluster HW active frequency: 1020 MHz\nCPU 0 frequency: 1020 MHz\n"
      text += "CPU Power: \(number == 7 ? 5000 : 100) mW\n"
    }
    let run = try read(text)[0]
    #expect(run.method.parameters == ["samples": .integer(count), "samples_averaged": 2])
    #expect(run.series == [Series(metric: .powerCPUMaximum, values: [5])])
    #expect(run.traces.map(\.rows.count).reduce(0, +) <= PowerRecording.mostRows)
    #expect(run.traces[0].interval == 0.2)
    #expect(run.warnings.isEmpty)
  }

  @Test("a document's bytes are the encoder's, rows and all")
  func bytes() throws {
    let cells: [[Scalar]] = [
      [.number(0), .text("P0"), .integer(4), .number(2.138e9), .missing, .boolean(true)],
      [.number(1.5), .text("\"a\\/b\n\u{e9}\u{1f5a5}"), .integer(-7), .number(1e21), .number(5e-7), .boolean(false)],
      [.number(0.1), .text(""), .integer(.max), .number(123456789.125), .number(-2), .missing],
    ]
    let names = ["t", "cluster", "core", "frequency", "x", "y"]
    var document = RunDocument(
      id: "x", suite: "power", source: "imported", state: .complete, method: MethodRecord(name: "m", version: 1),
      machine: MachineRecord(id: "y"), labels: ["rows": "\"rows\":[]"], series: [])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for traces in [nil, [], [Trace(kind: "a", columns: names, rows: cells), Trace(kind: "b", interval: 1, columns: [], rows: []), Trace(kind: "c", columns: names, rows: Array(cells.reversed()))]] as [[Trace]?] {
      document.traces = traces
      let bytes = try document.encoded()
      #expect(try encoder.encode(document) == bytes)
      #expect(try RunDocument(json: bytes).encoded() == bytes)
    }
    document.traces = [Trace(kind: "a", columns: ["t"], rows: [[.number(.infinity)]])]
    #expect(throws: (any Error).self) { try document.encoded() }
  }
}

/// The machine that an imported run belongs to.
@Suite struct ImportOwnerTests {
  private let mini = {
    var facts = MachineFacts(platform: "macos-arm64")
    facts.model = "Mac16,11"
    facts.chip = "Apple M4 Pro"
    facts.coreTiers = [
      CoreTier(name: "Performance", cores: 10, clusters: [5, 5], maxFrequency: 4.512e9),
      CoreTier(name: "Efficiency", cores: 4, clusters: [4], maxFrequency: 2.592e9),
    ]
    return facts
  }()

  private func owner(_ tool: String, on facts: MachineFacts? = nil, _ state: (inout ImportedRun.Stated) -> Void) -> ImportOwner {
    var run = ImportedRun(suite: "power", tool: Tool(name: tool), method: MethodRecord(name: "m", version: 1))
    if ["powermetrics", "AmorphousDiskMark"].contains(tool) { run.stated.system = "macos" }
    state(&run.stated)
    return .of(run, on: facts ?? mini)
  }

  private func isThis(_ owner: ImportOwner) -> Bool {
    if case .this = owner { return true }
    return false
  }

  @Test("a recording is this Mac's by its model, or by its cores and clusters, and by nothing less")
  func recordings() {
    #expect(owner("powermetrics") { $0.model = "Mac16,11" } == .this(because: "both are Mac16,11"))
    #expect(isThis(owner("powermetrics") { $0.clusters = ["E": 4, "P0": 5, "P1": 5] }))
    #expect(!isThis(owner("powermetrics") { _ in }))
    #expect(!isThis(owner("powermetrics") { $0.osBuild = "24F74" }))
    #expect(!isThis(owner("powermetrics") { $0.model = "Mac15,3" }))
    // Fewer cores may come from half a sample; more belong to another Mac, whatever its model.
    #expect(!isThis(owner("powermetrics") { $0.clusters = ["E": 4, "P": 4] }))
    #expect(!isThis(owner("powermetrics") { $0.clusters = ["E": 6, "P0": 4, "P1": 4] }))
    let larger = owner("powermetrics") { ($0.model, $0.clusters) = ("Mac16,11", ["E": 4, "P0": 6, "P1": 6]) }
    #expect(larger == .unspecified(because: "it shows 16 cores in clusters of 4, 6, 6, and this Mac has 14 cores in clusters of 4, 5, 5"))
    #expect(!isThis(owner("powermetrics") { ($0.clusters, $0.highestFrequency) = (["E": 4, "P0": 5, "P1": 5], 4.7e9) }))
  }

  @Test("what only a Mac measures was not measured on Linux")
  func systems() {
    let linux = MachineFacts(platform: "linux-x86_64")
    for tool in ["powermetrics", "AmorphousDiskMark"] { #expect(!isThis(owner(tool, on: linux) { _ in })) }
    #expect(!isThis(owner("Geekbench", on: linux) { $0.system = "macos" }))
    #expect(!isThis(owner("fio") { $0.system = "linux" }))
    #expect(isThis(owner("fio", on: linux) { $0.system = "linux" }))
  }

  @Test("tools that name their Mac must name this one; those that never do are taken for it")
  func tools() {
    #expect(isThis(owner("Geekbench") { $0.chip = "Apple M4 Pro" }))
    for tool in ["Geekbench", "AmorphousDiskMark"] {
      #expect(!isThis(owner(tool) { _ in }))
      #expect(!isThis(owner(tool) { $0.chip = "Apple M1" }))
    }
    for tool in ["fio", "sysbench", "hyperfine"] { #expect(owner(tool) { _ in } == .this(because: nil)) }
  }

  @Test("--machine takes this, unspecified or an id")
  func asked() throws {
    let id = "0193a1b2-0000-7000-8000-000000000001"
    #expect(try ImportOwner.asked(nil, own: id) == nil)
    #expect(isThis(try #require(try ImportOwner.asked("this", own: id))))
    #expect(isThis(try #require(try ImportOwner.asked(id.uppercased(), own: id))))
    #expect(try ImportOwner.asked(id, own: "x") == .other(id: id))
    #expect(try ImportOwner.asked("unspecified", own: id) == .unspecified(because: "as --machine says"))
    #expect(throws: UsageError.self) { try ImportOwner.asked("mine", own: id) }
  }
}

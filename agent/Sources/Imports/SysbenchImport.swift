import Base
import Document
import Formats
import Foundation

/// A reader for the text of `sysbench fileio`: 0.4 and 0.5 ("Total transferred", where Mb means
/// MiB), 1.0 ("read, MiB/s:") and 1.1 ("read: IOPS=… MiB/s (… MB/s)"), runs and `prepare`, several
/// in a row.
enum SysbenchImport {
  static func read(_ text: String) -> [ImportedRun]? {
    let sections = sections(text).filter { lines in lines.contains(where: isFileTest) }
    guard !sections.isEmpty else { return nil }
    let whole = sections.map(run)
    var runs = whole.filter { !$0.series.isEmpty }
    let cut = whole.count - runs.count
    if cut > 0, !runs.isEmpty {
      let what = cut == 1 ? "another result in this file is cut off and was" : "\(cut) other results in this file are cut off and were"
      runs[runs.count - 1].warnings.append(Warning(.incomplete, "\(what) left out"))
    }
    if runs.isEmpty { runs = whole }
    // sysbench prints no time; some people run `date` before it.
    let before = Lines.of(text).map(trimmed).prefix { !$0.hasPrefix("sysbench ") }
    runs[0].startedAt = Moment.span(Array(before)).last
    return runs
  }

  private static func isFileTest(_ line: String) -> Bool {
    line.contains("total file size") || line.contains(" bytes written in ")
  }

  /// Split into runs. A run starts with the tool's version, or, if that was cut off, with its
  /// options.
  private static func sections(_ text: String) -> [[String]] {
    var sections: [[String]] = []
    for line in Lines.of(text).map(trimmed) {
      let begins = line.hasPrefix("sysbench ") && line.dropFirst(9).first?.isNumber == true
      let options = line.hasPrefix("Running the test with")
      let alreadyBegun = sections.last.map { $0.count == 1 } ?? false
      if begins || (options && !alreadyBegun) || sections.isEmpty {
        sections.append([line])
      } else {
        sections[sections.count - 1].append(line)
      }
    }
    return sections
  }

  private static func run(_ lines: [String]) -> ImportedRun {
    let version = lines.first.flatMap(version)
    let test = lines.lazy.compactMap(test).first ?? (lines.contains { $0.contains(" bytes written in ") } ? "prepare" : nil)
    var run = ImportedRun(
      suite: "disk", tool: Tool(name: "sysbench", version: version),
      method: MethodRecord(
        name: ["sysbench", test].compactMap { $0 }.joined(separator: "-"), version: 1, parameters: parameters(lines)))
    let speeds = speeds(lines)
    run.series = Series.speed(.diskReadAverage, speeds.read) + Series.speed(.diskWriteAverage, speeds.write)
    if speeds.write != nil, case .integer(let size)? = run.method.parameters?["block_size"] {
      run.stated.smallestWrite = Double(size)
    }
    if test == "rndrw", run.series.count == 1 {
      run.warnings.append(Warning(.incomplete, "it read and wrote, and only one speed is there"))
    }
    if version == nil { run.warnings.append(Warning(.toolVersionUnstated)) }
    if let flags = lines.first(where: { $0.hasPrefix("Extra file open flags:") }) {
      let isDirect = flags.contains("direct")
      // Old versions print the flags as the system's number.
      let isNumber = flags.split(separator: " ").last.flatMap { Int($0) }.map { $0 != 0 } ?? false
      if !isDirect { run.warnings.append(Warning(isNumber ? .cacheStateUnstated : .cacheNotBypassed)) }
    } else {
      run.warnings.append(Warning(.cacheStateUnstated))
    }
    return run
  }

  private static func version(_ line: String) -> String? {
    guard line.hasPrefix("sysbench ") else { return nil }
    let version = line.dropFirst(9).prefix { !$0.isWhitespace && $0 != ":" }
    return version.first?.isNumber == true ? documentText(String(version)) : nil
  }

  private static func test(_ line: String) -> String? {
    guard line.hasPrefix("Doing ") else { return nil }
    if line.contains("sequential write") { return "seqwr" }
    if line.contains("sequential rewrite") { return "seqrewr" }
    if line.contains("sequential read") { return "seqrd" }
    if line.contains("random r/w") || line.contains("combined random") { return "rndrw" }
    if line.contains("random read") { return "rndrd" }
    return line.contains("random write") ? "rndwr" : nil
  }

  private static func parameters(_ lines: [String]) -> [String: Scalar] {
    var parameters: [String: Scalar] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      if line.hasPrefix("Number of threads:"), let count = words.last.flatMap({ Int($0) }) {
        parameters["threads"] = .integer(count)
      } else if line.hasPrefix("Block size "), let size = words.last.flatMap(size) {
        parameters["block_size"] = .integer(size)
      } else if line.hasSuffix("total file size"), let size = words.first.flatMap(size) {
        parameters["total_size"] = .integer(size)
      } else if line.hasSuffix(" each"), words.count == 4, words[1] == "files,", let count = Int(words[0]) {
        parameters["files"] = .integer(count)
      } else if line.hasPrefix("Using ") && line.hasSuffix("I/O mode"), words.count > 3 {
        parameters["io_mode"] = .text(String(words[1]))
      }
    }
    return parameters
  }

  /// Parse "16KiB", "16Kb", "3Gb" or "8192": sysbench always means powers of 1024.
  private static func size(_ text: Substring) -> Int? {
    amount(text).flatMap { $0 < 9e15 ? Int($0.rounded()) : nil }
  }

  /// Some regions use a decimal comma; thousands are never grouped.
  private static func number(_ text: some StringProtocol) -> Double? {
    Double(text.replacingOccurrences(of: ",", with: "."))
  }

  private static func amount(_ text: some StringProtocol) -> Double? {
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
    guard let number = number(digits) else { return nil }
    switch text.dropFirst(digits.count).lowercased() {
    case "", "b": return number
    case "kib", "kb": return number * 1024
    case "mib", "mb": return number * 1_048_576
    case "gib", "gb": return number * 1_073_741_824
    case "tib", "tb": return number * 1_099_511_627_776
    default: return nil
    }
  }

  private static func speeds(_ lines: [String]) -> (read: Double?, write: Double?) {
    var read: Double?
    var write: Double?
    for line in lines {
      if line.hasPrefix("read, MiB/s:") { read = mebibytes(line) }
      if line.hasPrefix("written, MiB/s:") { write = mebibytes(line) }
      if line.hasPrefix("read:"), line.contains("IOPS=") { read = rate(line) }
      if line.hasPrefix("write:"), line.contains("IOPS=") { write = rate(line) }
      if line.contains("Total transferred") { (read, write) = transferred(line, lines) }
      if line.contains(" bytes written in ") { write = prepared(line) }
    }
    return (read, write)
  }

  private static func mebibytes(_ line: String) -> Double? {
    line.split(separator: " ").last.flatMap(number).map { $0 * 1_048_576 }
  }

  /// Parse "read:  IOPS=4234.11 66.16 MiB/s (69.37 MB/s)": MiB/s is the more precise.
  private static func rate(_ line: String) -> Double? {
    let words = line.split(separator: " ")
    guard let unit = words.firstIndex(of: "MiB/s"), unit > 0 else { return nil }
    return number(words[unit - 1]).map { $0 * 1_048_576 }
  }

  /// Parse "Read 93.75Mb  Written 62.5Mb  Total transferred 156.25Mb  (3.1871Mb/sec)", divided by
  /// the total time.
  private static func transferred(_ line: String, _ lines: [String]) -> (read: Double?, write: Double?) {
    let words = line.split(separator: " ")
    let time = lines.first { $0.hasPrefix("total time:") }?.split(separator: " ").last
      .flatMap { number($0.hasSuffix("s") ? $0.dropLast() : $0) }
    guard let time, time > 0, words.count > 3, words[0] == "Read", words[2] == "Written" else { return (nil, nil) }
    return (amount(words[1]).map { $0 / time }, amount(words[3]).map { $0 / time })
  }

  /// Parse "5368709120 bytes written in 10.11 seconds (506.40 MiB/sec)." Old versions write MB for
  /// MiB: then use bytes and seconds, which are less precise.
  private static func prepared(_ line: String) -> Double? {
    let words = line.split(separator: " ")
    guard words.count >= 6, let bytes = Double(words[0]), let seconds = number(words[4]), seconds > 0
    else { return nil }
    if words.count > 7, words[7].hasPrefix("MiB/sec"), let rate = number(words[6].drop { $0 == "(" }) {
      return rate * 1_048_576
    }
    return bytes / seconds
  }
}

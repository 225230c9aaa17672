import Base
import Document
import Formats

/// A streaming reader for `powermetrics` text, line by line: every form from macOS 11 ("cpu 0",
/// "GPU active frequency") to the current one ("down residency", "S-Cluster").
///
/// Recordings have millions of lines but some sixty labels, so each label is parsed once.
struct PowerMetricsText {
  /// One for each start of powermetrics.
  private(set) var recordings = [SampledRecording()]
  /// Whether a line was seen that only powermetrics prints.
  private(set) var isCertain = false
  /// Whether the text began within a sample.
  private(set) var beginsLate = false

  private var sample = PowerSample()
  private var cluster: PowerSample.Cluster?
  /// Outside any sample: in the task list, or in the summary of all samples at the end.
  private var isAside = false
  private var isSummary = false
  /// Readings seen in this sample, by label number.
  private var seen: Set<Int> = []
  /// Samples so far.
  private var count = 0
  private var hadHeader = false
  /// Number of readings in this sample and in the previous one.
  private var readings = 0
  private var readingsBefore = 0

  private var labels: [String: Label] = [:]
  private var numbers: [String: Int] = [:]
  private static let mostLabels = 4096
  private static let longestLabel = 128

  /// A parsed label.
  private struct Label {
    enum Subject {
      case cluster(String, String)
      case core(Int, String)
      case total(String)
    }
    var subject: Subject
    /// Set if the label occurs once per sample.
    var number: Int?
  }

  /// Whether the sample so far has fewer readings than the previous one: it is incomplete.
  var lacksReadings: Bool { (sample.elapsed != nil || readings > 0) && readings < readingsBefore }

  /// All levels of thermal pressure; none is a prefix of another.
  private static let pressures = ["Nominal", "Moderate", "Heavy", "Trapping", "Sleeping"]

  /// Whether a text's unterminated last line is complete: it ends in a unit, bracket or known word.
  static func isWhole(lastLine: [UInt8]) -> Bool {
    guard let last = lastLine.last(where: { $0 > 0x20 }) else { return true }
    let line = String(decoding: lastLine, as: UTF8.self)
    if last == UInt8(ascii: ")") || last == UInt8(ascii: "*") { return true }
    // After "55.11%" comes its breakdown.
    if last == UInt8(ascii: "%") { return !line.contains("(") }
    return (["Hz", "W"] + pressures).contains { trimmed(line).hasSuffix($0) }
  }

  /// Take a line without its terminator; return the previous sample if this line starts another.
  mutating func take(_ line: UnsafeRawBufferPointer) -> PowerSample? {
    if line.starts(with: "***".utf8) { return takeHeading(String(decoding: line, as: UTF8.self)[...]) }
    if line.starts(with: Self.modelLabel) { return takeModel(String(decoding: line, as: UTF8.self)) }
    guard !isAside, !isSummary, let colon = line.place(of: UInt8(ascii: ":"), from: 0), colon <= Self.longestLabel,
      let label = label(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    var finished: PowerSample?
    // In an excerpt without the lines that start a sample, a repeated reading starts one.
    if let number = label.number, sample.elapsed == nil, !seen.insert(number).inserted {
      finished = finish()
      seen.insert(number)
    }
    let value = Reading.Text(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    switch label.subject {
    case .cluster(let name, let what): takeCluster(name, what, value)
    case .core(let number, let what): takeCore(number, what, value)
    case .total(let what): takeTotal(what, value)
    }
    return finished
  }

  private static let modelLabel = Array("Machine model:".utf8)

  /// Take the first line that powermetrics prints: after samples, it was restarted.
  private mutating func takeModel(_ line: String) -> PowerSample? {
    let model = documentText(String(line.dropFirst(Self.modelLabel.count))).flatMap { HardwareProfile.isModel($0) ? $0 : nil }
    let isCut = lacksReadings
    let finished = finish()
    if count > 0, model != nil {
      recordings[recordings.count - 1].endsEarly = isCut
      recordings.append(SampledRecording(firstSample: count))
      readingsBefore = 0
    }
    recordings[recordings.count - 1].machine.model = model
    isCertain = isCertain || model != nil
    return finished
  }

  private mutating func takeHeading(_ line: Substring) -> PowerSample? {
    guard line.contains("system activity") else {
      // Task names are arbitrary, and private.
      isAside = line.contains("Running tasks")
      return nil
    }
    let isFirst = !hadHeader && count == 0
    var finished = finish()
    if isFirst, finished != nil {
      beginsLate = true
      finished = nil
      count = 0
    }
    isSummary = !line.contains("Sampled system activity")
    hadHeader = true
    isCertain = true
    if !isSummary {
      sample.elapsed = Self.elapsed(line)
      sample.time = Self.time(line)
    }
    return finished
  }

  private mutating func label(_ text: String) -> Label? {
    if let known = labels[text] { return known }
    let words = text.split { $0.isWhitespace }
    guard let first = words.first else { return nil }
    let isCluster = first.hasSuffix("-Cluster")
    let isCore = first.lowercased() == "cpu" && words.count > 1
    let subject: Label.Subject
    if isCluster {
      subject = .cluster(String(first.dropLast("-Cluster".count)), words.dropFirst().joined(separator: " "))
    } else if isCore, words.count > 2, let number = Int(words[1]) {
      subject = .core(number, words.dropFirst(2).joined(separator: " "))
    } else {
      subject = .total(words.joined(separator: " "))
    }
    var label = Label(subject: subject)
    // The GPU's power occurs twice per sample.
    if isCluster || isCore || words.contains("Power"), first != "GPU" {
      let name = words.joined(separator: " ")
      let number = numbers[name] ?? numbers.count
      numbers[name] = number
      label.number = number
    }
    if labels.count < Self.mostLabels { labels[text] = label }
    return label
  }

  /// Return the sample so far, if any; the next line starts another.
  mutating func finish() -> PowerSample? {
    closeCluster()
    defer {
      sample = PowerSample()
      seen = []
      isAside = false
      isSummary = false
    }
    guard !sample.isEmpty else { return nil }
    count += 1
    readingsBefore = readings
    readings = 0
    return sample
  }

  /// Parse "*** Sampled system activity (Sat Nov  8 15:54:21 2025 +0900) (5021.96ms elapsed) ***"
  private static func elapsed(_ line: Substring) -> Double? {
    guard let end = line.range(of: "ms elapsed"), let start = line[..<end.lowerBound].lastIndex(of: "(")
    else { return nil }
    return Quantity.number(line[line.index(after: start)..<end.lowerBound]).flatMap { $0 > 0 ? Reading.plain($0 / 1000) : nil }
  }

  private static func time(_ line: Substring) -> Timestamp? {
    guard let start = line.firstIndex(of: "("), let end = line[start...].firstIndex(of: ")") else { return nil }
    return Moment.read(String(line[line.index(after: start)..<end]))
  }

  private mutating func closeCluster() {
    if let cluster { sample.clusters.append(cluster.withoutImpossibleZeros()) }
    cluster = nil
  }

  private mutating func takeCluster(_ name: String, _ what: String, _ value: Reading.Text) {
    guard (1...8).contains(name.utf8.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return }
    if cluster?.name != name {
      closeCluster()
      cluster = PowerSample.Cluster(name: name)
    }
    readings += 1
    switch what {
    case "Power": cluster?.power = Reading.watts(value)
    case "HW active frequency", "active frequency": cluster?.frequency = Reading.hertz(value)
    case "HW active residency", "active residency": cluster?.active = Reading.share(value)
    case "idle residency": cluster?.idle = Reading.share(value)
    case "down residency": cluster?.down = Reading.share(value)
    case "Online": cluster?.online = value.string.contains("%") ? Reading.share(value) : nil
    default: return
    }
  }

  /// Take a core's reading. Cores without a named cluster (excerpts) are skipped, because their
  /// type is unknown.
  private mutating func takeCore(_ number: Int, _ what: String, _ value: Reading.Text) {
    guard let cores = cluster?.cores, (0..<4096).contains(number) else { return }
    let isKnown = cores.last?.number == number
    let last = isKnown ? cores.count - 1 : cores.count
    if !isKnown { cluster?.cores.append(PowerSample.Core(number: number)) }
    readings += 1
    switch what {
    case "frequency": cluster?.cores[last].frequency = Reading.hertz(value)
    case "active residency": cluster?.cores[last].active = Reading.share(value)
    case "idle residency": cluster?.cores[last].idle = Reading.share(value)
    case "down residency": cluster?.cores[last].down = Reading.share(value)
    default: return
    }
  }

  private mutating func takeTotal(_ what: String, _ value: Reading.Text) {
    switch what {
    case "OS version": recordings[recordings.count - 1].machine.osBuild = SystemVersion.build(trimmed(value.string))
    default:
      if takeReading(what, value) { readings += 1 }
    }
  }

  /// Take a reading; return whether it is one.
  private mutating func takeReading(_ what: String, _ value: Reading.Text) -> Bool {
    switch what {
    case "CPU Power": sample.cpuPower = Reading.watts(value)
    // If printed twice with different values, the first is part of the combined power.
    case "GPU Power": sample.gpuPower = sample.gpuPower ?? Reading.watts(value)
    case "ANE Power": sample.anePower = Reading.watts(value)
    case "DRAM Power": sample.dramPower = Reading.watts(value)
    case "Package Power", "Intel energy model derived package power (CPUs+GT+SA)": sample.packagePower = Reading.watts(value)
    case "Clusters Total Power": sample.cpuPower = sample.cpuPower ?? Reading.watts(value)
    case "GPU HW active frequency", "GPU active frequency": takeGPU { $0.frequency = Reading.activeHertz(value) }
    case "GPU HW active residency", "GPU active residency": takeGPU { $0.active = Reading.share(value) }
    case "GPU idle residency": takeGPU { $0.idle = Reading.share(value) }
    case "Current pressure level": sample.thermalPressure = Reading.word(value.string[...])
    case "Battery":
      let text = value.string
      sample.charge = text.range(of: "percent_charge:").flatMap { Reading.share(text[$0.upperBound...]) }
    default:
      guard what.hasPrefix("Combined Power") else { return false }
      sample.combinedPower = Reading.watts(value)
    }
    return true
  }

  private mutating func takeGPU(_ change: (inout PowerSample.Graphics) -> Void) {
    var gpu = sample.gpu ?? PowerSample.Graphics()
    change(&gpu)
    sample.gpu = gpu
  }
}

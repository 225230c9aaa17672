/// Reads `powermetrics`' text as it comes, a line at a time: every form from macOS 11 ("cpu 0",
/// "GPU active frequency") to today's ("down residency", "S-Cluster").
struct PowerMetricsText {
  private(set) var machine = SampledMachine()
  private var sample = PowerSample()
  private var cluster: PowerSample.Cluster?
  /// Inside what is no sample: the task list, or the summary of all samples that is printed at the end.
  private var isAside = false
  private var isSummary = false
  /// Labels that this sample had.
  private var seen: Set<String> = []

  /// Takes a line without its end; gives back the sample before, where this line begins another one.
  mutating func take(_ line: Substring) -> PowerSample? {
    if line.hasPrefix("***"), line.contains("system activity") {
      let finished = finish()
      isSummary = !line.contains("Sampled system activity")
      if !isSummary { sample.elapsed = Self.elapsed(line) }
      return finished
    }
    // The names of tasks are arbitrary, and private.
    if line.hasPrefix("***") { isAside = line.contains("Running tasks") }
    guard !isAside, !isSummary, let colon = line.firstIndex(of: ":") else { return nil }
    let value = line[line.index(after: colon)...]
    let words = line[..<colon].split { $0.isWhitespace }
    guard let first = words.first else { return nil }
    var finished: PowerSample?
    if comesAgain(words) {
      finished = finish()
      _ = comesAgain(words)
    }
    if first.hasSuffix("-Cluster") {
      takeCluster(String(first.dropLast("-Cluster".count)), words.dropFirst().joined(separator: " "), value)
    } else if first.lowercased() == "cpu", words.count > 2, let number = Int(words[1]) {
      takeCore(number, words.dropFirst(2).joined(separator: " "), value)
    } else {
      takeTotal(words.joined(separator: " "), value)
    }
    return finished
  }

  /// Where somebody kept only some of the lines, without those that begin a sample, it is a reading's
  /// coming again that does. The GPU's power comes twice in one sample.
  private mutating func comesAgain(_ words: [Substring]) -> Bool {
    let isReading = words[0].hasSuffix("-Cluster") || (words[0].lowercased() == "cpu" && words.count > 1)
      || words.contains("Power")
    guard sample.elapsed == nil, isReading, words[0] != "GPU" else { return false }
    return !seen.insert(words.joined(separator: " ")).inserted
  }

  /// The sample so far, if there is any; the next line begins another one.
  mutating func finish() -> PowerSample? {
    closeCluster()
    defer {
      sample = PowerSample()
      seen = []
      isAside = false
      isSummary = false
    }
    return sample.isEmpty ? nil : sample
  }

  /// "*** Sampled system activity (Sat Nov  8 15:54:21 2025 +0900) (5021.96ms elapsed) ***"
  private static func elapsed(_ line: Substring) -> Double? {
    guard let end = line.range(of: "ms elapsed"), let start = line[..<end.lowerBound].lastIndex(of: "(")
    else { return nil }
    return Quantity.number(line[line.index(after: start)..<end.lowerBound]).flatMap { $0 > 0 ? Reading.plain($0 / 1000) : nil }
  }

  private mutating func closeCluster() {
    if let cluster { sample.clusters.append(cluster.withoutImpossibleZeros()) }
    cluster = nil
  }

  private mutating func takeCluster(_ name: String, _ what: String, _ value: Substring) {
    guard (1...8).contains(name.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return }
    if cluster?.name != name {
      closeCluster()
      cluster = PowerSample.Cluster(name: name)
    }
    switch what {
    case "Power": cluster?.power = Reading.watts(value)
    case "HW active frequency", "active frequency": cluster?.frequency = Reading.hertz(value)
    case "HW active residency", "active residency": cluster?.active = Reading.share(value)
    case "idle residency": cluster?.idle = Reading.share(value)
    case "down residency": cluster?.down = Reading.share(value)
    case "Online": cluster?.online = value.contains("%") ? Reading.share(value) : nil
    default: return
    }
  }

  /// Cores whose cluster is not named (excerpts) are left out: it is not known what they are.
  private mutating func takeCore(_ number: Int, _ what: String, _ value: Substring) {
    guard var cores = cluster?.cores, (0..<4096).contains(number) else { return }
    if cores.last?.number != number { cores.append(PowerSample.Core(number: number)) }
    let last = cores.count - 1
    switch what {
    case "frequency": cores[last].frequency = Reading.hertz(value)
    case "active residency": cores[last].active = Reading.share(value)
    case "idle residency": cores[last].idle = Reading.share(value)
    case "down residency": cores[last].down = Reading.share(value)
    default: return
    }
    cluster?.cores = cores
  }

  private mutating func takeTotal(_ what: String, _ value: Substring) {
    switch what {
    case "Machine model": machine.model = documentText(String(value)).flatMap { HardwareProfile.isModel($0) ? $0 : nil }
    case "OS version": machine.osBuild = SystemVersion.build(LinuxFacts.trimmed(value))
    case "CPU Power": sample.cpuPower = Reading.watts(value)
    // Where it is printed twice with different values, the first one is part of the combined power.
    case "GPU Power": sample.gpuPower = sample.gpuPower ?? Reading.watts(value)
    case "ANE Power": sample.anePower = Reading.watts(value)
    case "DRAM Power": sample.dramPower = Reading.watts(value)
    case "Package Power", "Intel energy model derived package power (CPUs+GT+SA)": sample.packagePower = Reading.watts(value)
    case "Clusters Total Power": sample.cpuPower = sample.cpuPower ?? Reading.watts(value)
    case "GPU HW active frequency", "GPU active frequency": takeGPU { $0.frequency = Reading.activeHertz(value) }
    case "GPU HW active residency", "GPU active residency": takeGPU { $0.active = Reading.share(value) }
    case "GPU idle residency": takeGPU { $0.idle = Reading.share(value) }
    case "Current pressure level": sample.thermalPressure = Reading.word(value)
    case "Battery": sample.charge = value.range(of: "percent_charge:").flatMap { Reading.share(value[$0.upperBound...]) }
    default:
      if what.hasPrefix("Combined Power") { sample.combinedPower = Reading.watts(value) }
    }
  }

  private mutating func takeGPU(_ change: (inout PowerSample.Graphics) -> Void) {
    var gpu = sample.gpu ?? PowerSample.Graphics()
    change(&gpu)
    sample.gpu = gpu
  }
}

/// Single readings of `powermetrics`; nil where a reading is impossible.
enum Reading {
  /// " 1293 MHz"; 0 is a reading here (see Cluster.withoutImpossibleZeros).
  static func hertz(_ text: Substring) -> Double? {
    amount(text, units: ["khz": 1e3, "mhz": 1e6, "ghz": 1e9], below: 1e11)
  }

  static func activeHertz(_ text: Substring) -> Double? {
    hertz(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// " 954 mW"
  static func watts(_ text: Substring) -> Double? {
    amount(text, units: ["uw": 1e-6, "mw": 1e-3, "w": 1], below: 1e4)
  }

  private static func amount(_ text: Substring, units: [String: Double], below limit: Double) -> Double? {
    let text = LinuxFacts.trimmed(text)
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," || $0 == "e" || $0 == "+" }
    let unit = LinuxFacts.trimmed(text[digits.endIndex...]).lowercased()
    guard let number = Quantity.number(digits), let scale = units[unit] else { return nil }
    let value = plain(number * scale)
    return value >= 0 && value < limit ? value : nil
  }

  /// Without what scaling adds far behind the decimal point: 0.0588, not 0.058800000000000005.
  static func plain(_ value: Double) -> Double {
    value < 1e6 ? (value * 1e9).rounded() / 1e9 : value.rounded()
  }

  /// "  55.11% (1020 MHz:  39% …)" or " 36": a percentage, as a share.
  static func share(_ text: Substring) -> Double? {
    let digits = text.drop { $0.isWhitespace }.prefix { $0.isNumber || $0 == "." || $0 == "," }
    return share(percent: Quantity.number(digits))
  }

  /// Rounding may carry a share a little beyond the whole.
  static func share(percent: Double?) -> Double? {
    percent.flatMap { (0...100.5).contains($0) ? min(plain($0 / 100), 1) : nil }
  }

  static func word(_ text: Substring) -> String? {
    let word = LinuxFacts.trimmed(text).lowercased()
    return !word.isEmpty && word.count <= 32 && word.allSatisfy(\.isLetter) ? word : nil
  }
}

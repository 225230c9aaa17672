/// Numbers as people read them. Decimal units throughout: 1 GB is 10^9 bytes.
package enum Figures {
  /// A speed in GB/s to three significant figures, without its unit: "7.66", "0.143".
  package static func gigabytesPerSecond(_ speed: Double) -> String { significant(speed / 1e9, 3) }

  /// A link's rate with its unit: "40 Gb/s", "480 Mb/s".
  package static func bitRate(_ rate: Double) -> String {
    let (scale, unit) = rate < 1e9 ? (1e6, "Mb/s") : (1e9, "Gb/s")
    return "\(withoutZeros(significant(rate / scale, 3))) \(unit)"
  }

  /// Bytes with their unit: "2 MB", "1.2 GB".
  package static func bytes(_ count: Int) -> String {
    let units: [(Double, String)] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    for (size, unit) in units where Double(count) >= size {
      return withoutZeros(significant(Double(count) / size, 3)) + " " + unit
    }
    return "\(count) B"
  }

  package static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
  package static func runs(_ count: Int) -> String { count == 1 ? "1 run" : "\(count) runs" }

  /// Seconds as "0.4 s", "12 s", "3 min 20 s", "2 h 5 min".
  package static func duration(_ seconds: Double) -> String {
    if seconds < 9.95 { return fixed(seconds, 1) + " s" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// Rounded to three significant figures: 12.3, 1.23, 0.123; whole numbers from 1000 up.
  package static func significant(_ value: Double, _ figures: Int) -> String {
    guard value.isFinite else { return "–" }
    var decimals = figures - 1
    var scale = 10.0
    while decimals > 0, abs(value) >= scale {
      decimals -= 1
      scale *= 10
    }
    scale = 1
    while decimals < 6, abs(value) < scale, value != 0 {
      decimals += 1
      scale /= 10
    }
    return fixed(value, decimals)
  }

  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    let scaled = Int((abs(value) * factor).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// Bars of eight heights from zero to the maximum; a space for missing values.
  package static func sparkline(_ values: [Double?]) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    let highest = values.compactMap { $0 }.max() ?? 0
    return String(values.map { value in
      guard let value, highest > 0 else { return " " }
      return bars[min(7, Int(value / highest * 7.999))]
    })
  }

  private static func withoutZeros(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = text
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}

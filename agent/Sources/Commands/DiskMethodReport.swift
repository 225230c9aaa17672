import Base
import Measure

/// Results of the other disk methods in columns.
enum DiskMethodReport {
  static func streamRead(_ outcome: OneFileOutcome, _ plan: OneFilePlan) -> [String] {
    speeds([("One file of \(Figures.bytes(plan.bytes)), read", outcome.speeds)])
  }

  static func simultaneous(_ outcome: SimultaneousOutcome, _ path: String) -> [String] {
    ["\(path), while all were busy"] + speeds([("Write", outcome.writes), ("Read", outcome.reads)])
  }

  private static func speeds(_ rows: [(String, [Double])]) -> [String] {
    var table = TextTable(
      headings: ["", "GB/s", "Lowest", "Highest", "n"], alignments: [.left, .decimal, .decimal, .decimal, .right])
    for (name, speeds) in rows {
      guard let median = Robust.median(speeds), let low = speeds.min(), let high = speeds.max() else { continue }
      table.rows.append([name] + [median, low, high].map(Figures.gigabytesPerSecond) + ["\(speeds.count)"])
    }
    return table.rows.isEmpty ? [] : table.lines()
  }

  /// The sparkline has at most 60 bars; for longer runs, a bar is the median of several seconds.
  static func sustainedWrite(_ outcome: SustainedWriteOutcome, _ plan: SustainedWritePlan) -> [String] {
    let seconds = outcome.seconds.whole
    var table = TextTable(headings: ["", "GB/s"], alignments: [.left, .decimal])
    if let time = outcome.time {
      table.rows = [["All \(Figures.bytes(plan.bytes))", Figures.gigabytesPerSecond(Double(plan.bytes) / time.transfer)]]
      if let flush = time.flush {
        let flushed = Double(plan.bytes) / (time.transfer + flush)
        table.rows.append(["Including the flush", Figures.gigabytesPerSecond(flushed)])
      }
    }
    if let first = seconds.first, let last = seconds.last, let low = seconds.min() {
      table.rows.append(["First second", Figures.gigabytesPerSecond(first)])
      table.rows.append(["Last full second", Figures.gigabytesPerSecond(last)])
      table.rows.append(["Slowest second", Figures.gigabytesPerSecond(low)])
    }
    let lines = table.rows.isEmpty ? [] : table.lines()
    guard seconds.count > 1 else { return lines }
    let bar = (seconds.count + 59) / 60
    let bars = stride(from: 0, to: seconds.count, by: bar).map { start in
      Robust.median(Array(seconds[start..<min(start + bar, seconds.count)]))
    }
    let each = bar == 1 ? "by second" : "one bar is \(bar) seconds"
    return lines + ["", "\(Figures.sparkline(bars))   \(each), from zero"]
  }

  static func latency(_ outcome: LatencyOutcome) -> [String] {
    var table = TextTable(
      headings: ["At random places", "Depth", "Median µs", "p90 µs", "Per second", "n"],
      alignments: [.left, .right, .decimal, .decimal, .right, .right])
    for timing in outcome.timings.sorted(by: { $0.test.name < $1.test.name }) {
      let sorted = timing.seconds.sorted()
      guard let median = Robust.quantile(sorted, 0.5), let p90 = Robust.quantile(sorted, 0.9) else { continue }
      table.rows.append([
        "\(timing.test.move == .read ? "Read" : "Write") \(timing.test.bytes >> 10) KiB", "\(timing.test.depth)",
        Figures.significant(median * 1e6, 3), Figures.significant(p90 * 1e6, 3),
        Figures.fixed(Double(timing.transfers) / timing.duration, 0),
        "\(timing.transfers)",
      ])
    }
    return table.rows.isEmpty ? [] : table.lines()
  }
}

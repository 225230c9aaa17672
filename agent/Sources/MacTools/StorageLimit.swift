import Base
import Document

/// Maximum speed of a target's storage: its link's capacity, or the highest published speed of
/// internal storage with that chip. A faster transfer came from memory.
package struct StorageLimit: Equatable, Sendable {
  /// In B/s.
  package let speed: Double
  /// The warning for a faster transfer.
  package let code: WarningCode
  /// "a 480 Mb/s link", "the internal storage beside an Apple M4".
  let words: String

  /// nil if neither is known.
  package static func of(_ target: TargetRecord?, chip: String?) -> StorageLimit? {
    guard let target else { return nil }
    let storage = target.image?.host?.storage ?? target.storage
    let rate = target.image?.host?.linkSpeed ?? target.linkSpeed
    let carried = [links[storage.rawValue], rate.map { $0 / 8 }].compactMap { $0 }.min()
    if let carried {
      let link = rate.map { "a \(Figures.bitRate($0)) link" } ?? storage.words
      return StorageLimit(speed: carried, code: .fasterThanLink, words: link)
    }
    guard storage == .internal, let chip, let fastest = published[chip] else { return nil }
    return StorageLimit(
      speed: fastest * tolerance, code: .fasterThanStorage, words: "the internal storage beside an \(chip)")
  }

  /// A warning for the fastest series that exceeds the storage's limit, if any.
  package static func warnings(_ series: [Series], on target: TargetRecord?, chip: String?) -> [Warning] {
    guard let limit = of(target, chip: chip) else { return [] }
    let beyond = series.filter { crossingLinks.contains($0.metric) }
      .compactMap { one in Robust.median(one.values).map { (one.metric, $0) } }
      .filter { $0.1 > limit.speed }.max { $0.1 < $1.1 }
    guard let (metric, speed) = beyond else { return [] }
    let figures = [speed, limit.speed].map(Figures.gigabytesPerSecond)
    return [Warning(limit.code, "\(metric.title) \(figures[0]) GB/s; \(limit.words) reaches \(figures[1]) GB/s at most")]
  }

  /// Published speeds are rarely those of a chip's largest and fastest storage, and tools round.
  package static let tolerance = 1.25

  /// The server's catalogue has the same limits, each with its source (chips.json).
  static let links: [String: Double] = [
    "thunderbolt3": 5e9, "thunderbolt4": 5e9, "usb4": 5e9, "thunderbolt5": 10e9, "usb3": 2.5e9,
  ]
  static let published: [String: Double] = [
    "Apple M1": 2.9e9, "Apple M1 Pro": 7.4e9, "Apple M1 Max": 7.4e9, "Apple M1 Ultra": 7.4e9,
    "Apple M2": 3.022e9, "Apple M2 Pro": 6.491e9, "Apple M2 Max": 6.402e9, "Apple M3": 3e9, "Apple M4": 3.5e9,
    "Apple M4 Pro": 7.69e9, "Apple M4 Max": 8e9, "Apple M5": 6.323e9, "Apple M5 Pro": 14.5e9,
    "Apple M5 Max": 17.8e9,
  ]
  static let crossingLinks: Set<Metric> = [
    .diskWriteAverage, .diskReadAverage, .diskWriteFlushedAverage, .diskWriteSpeed, .diskReadSpeed,
    .diskStreamReadSpeed, .diskSustainedWriteSpeed, .hashSpeed,
  ]
}

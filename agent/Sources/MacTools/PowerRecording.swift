import Document

/// A recording of any length in a bounded number of table rows: in a longer one, neighbouring
/// samples are averaged throughout, by two, by four and so on.
package struct PowerRecording {
  /// Maximum rows of all samples together. A document with that many is about 5 MB.
  static let mostRows = 80_000

  /// Samples taken in, and how many are averaged into each row's sample.
  package private(set) var count = 0
  package private(set) var samplesEach = 1
  /// Duplicate samples in the file, counted once.
  package private(set) var doubled = 0
  package private(set) var first: Timestamp?
  package private(set) var last: Timestamp?
  package private(set) var highestPower: Double?
  /// The most cores seen in each cluster, and the highest frequency of any.
  package private(set) var clusters: [String: Int] = [:]
  package private(set) var highestFrequency: Double?

  private let limit: Int
  private var kept: [PowerSample] = []
  private var group: [PowerSample] = []
  private var rows = 0
  private var known: Set<Int> = []
  private static let mostKnown = 1 << 18

  package init(limit: Int = mostRows) { self.limit = limit }

  /// An empty recording for what follows, which knows this one's samples.
  package func next() -> PowerRecording {
    var next = PowerRecording(limit: limit)
    next.known = known
    return next
  }

  /// Whether this recording is later than the sample, which then belongs to another. A clock
  /// adjusted meanwhile may run back a little.
  package func isAfter(_ sample: PowerSample) -> Bool {
    guard let time = sample.time, let first, time.rawValue < first.rawValue else { return false }
    return !known.contains(sample.hashValue)
  }

  package mutating func take(_ sample: PowerSample) {
    // Without its time, a sample can't be distinguished from an identical one.
    if sample.time != nil, sample.elapsed != nil {
      if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
      guard known.insert(sample.hashValue).inserted else {
        doubled += 1
        return
      }
    }
    note(sample)
    group.append(sample)
    guard group.count >= samplesEach else { return }
    keep(Self.average(group))
    group = []
    while rows > limit, kept.count > 1 { halve() }
  }

  /// Return all samples and empty the recording.
  package mutating func finish() -> [PowerSample] {
    if !group.isEmpty { keep(Self.average(group)) }
    defer { (kept, group, known, rows) = ([], [], [], 0) }
    return kept
  }

  private mutating func note(_ sample: PowerSample) {
    if count == 0 { first = sample.time }
    last = sample.time
    count += 1
    highestPower = Self.highest(highestPower, sample.cpuPower)
    for cluster in sample.clusters {
      clusters[cluster.name] = max(clusters[cluster.name] ?? 0, cluster.cores.count)
      highestFrequency = Self.highest(highestFrequency, cluster.frequency)
    }
  }

  private static func highest(_ one: Double?, _ other: Double?) -> Double? {
    [one, other].compactMap { $0 }.max()
  }

  private mutating func keep(_ sample: PowerSample) {
    kept.append(sample)
    rows += Self.rows(of: sample)
  }

  private mutating func halve() {
    let before = kept
    kept = []
    rows = 0
    for start in stride(from: 0, to: before.count, by: 2) {
      keep(Self.average(Array(before[start..<min(start + 2, before.count)])))
    }
    samplesEach *= 2
  }

  private static func rows(of sample: PowerSample) -> Int {
    2 + sample.clusters.reduce(0) { $0 + 1 + $1.cores.count }
  }

  /// One sample of the whole time. Powers and shares are means over time, frequencies over active
  /// time; values that some samples lack are averaged over the others.
  package static func average(_ samples: [PowerSample]) -> PowerSample {
    guard samples.count > 1, var whole = samples.last else { return samples.first ?? PowerSample() }
    let lengths = samples.compactMap(\.elapsed)
    let areTimed = lengths.count == samples.count
    let weights = areTimed ? lengths : samples.map { _ in 1 }
    func mean(_ value: (PowerSample) -> Double?) -> Double? { weighted(zip(samples.map(value), weights)) }
    whole.elapsed = areTimed ? Reading.plain(lengths.reduce(0, +)) : nil
    whole.cpuPower = mean(\.cpuPower)
    whole.gpuPower = mean(\.gpuPower)
    whole.anePower = mean(\.anePower)
    whole.combinedPower = mean(\.combinedPower)
    whole.dramPower = mean(\.dramPower)
    whole.packagePower = mean(\.packagePower)
    if whole.gpu != nil {
      let active = samples.map { $0.gpu?.active ?? 0 }
      whole.gpu?.frequency = working(samples.map { $0.gpu?.frequency }, active, weights)
      whole.gpu?.active = mean { $0.gpu?.active }
      whole.gpu?.idle = mean { $0.gpu?.idle }
    }
    for place in whole.clusters.indices {
      let name = whole.clusters[place].name
      let same = samples.map { sample in sample.clusters.first { $0.name == name } }
      whole.clusters[place] = average(same, weights, whole.clusters[place])
    }
    return whole
  }

  private static func average(
    _ clusters: [PowerSample.Cluster?], _ weights: [Double], _ last: PowerSample.Cluster
  ) -> PowerSample.Cluster {
    var whole = last
    func mean(_ value: (PowerSample.Cluster) -> Double?) -> Double? {
      weighted(zip(clusters.map { $0.flatMap(value) }, weights))
    }
    whole.frequency = working(clusters.map { $0?.frequency }, clusters.map { $0?.active ?? 0 }, weights)
    whole.active = mean(\.active)
    whole.idle = mean(\.idle)
    whole.down = mean(\.down)
    whole.online = mean(\.online)
    whole.power = mean(\.power)
    for place in whole.cores.indices {
      let number = whole.cores[place].number
      let same = clusters.map { cluster in
        // Nearly always at the same index.
        cluster.flatMap { cluster in
          cluster.cores.indices.contains(place) && cluster.cores[place].number == number
            ? cluster.cores[place] : cluster.cores.first { $0.number == number }
        }
      }
      func mean(_ value: (PowerSample.Core) -> Double?) -> Double? {
        weighted(zip(same.map { $0.flatMap(value) }, weights))
      }
      whole.cores[place].frequency = working(same.map { $0?.frequency }, same.map { $0?.active ?? 0 }, weights)
      whole.cores[place].active = mean(\.active)
      whole.cores[place].idle = mean(\.idle)
      whole.cores[place].down = mean(\.down)
    }
    return whole
  }

  /// Mean frequency over active time; over all time if no active share is known.
  private static func working(_ frequencies: [Double?], _ active: [Double], _ weights: [Double]) -> Double? {
    weighted(zip(frequencies, zip(active, weights).map { $0 * $1 })) ?? weighted(zip(frequencies, weights))
  }

  private static func weighted(_ values: some Sequence<(Double?, Double)>) -> Double? {
    var sum = 0.0
    var total = 0.0
    for case (let value?, let weight) in values {
      sum += value * weight
      total += weight
    }
    return total > 0 ? Reading.plain(sum / total) : nil
  }
}

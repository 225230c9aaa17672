import Document
import Foundation

/// Traces and summaries of a run's `powermetrics` samples.
package enum PowerTrace {
  /// A document's maximum of rows, over all traces.
  static let rowLimit = 200_000

  /// Tables over time; `t` is the start of a sample in seconds from the start of the first. Each
  /// cluster and core has a row; values that a Mac doesn't print have no column. The longest tables
  /// are omitted if a document can't hold them.
  package static func traces(_ samples: [PowerSample]) -> [Trace] {
    let starts = starts(samples)
    var traces: [Trace] = []
    var rows = 0
    for make in [power, graphics, clusters, cores] {
      var table = make(samples, starts)
      guard !table.rows.isEmpty, rows + table.rows.count <= rowLimit else { continue }
      table.interval = interval(samples)
      table.leaveOutEmptyColumns()
      traces.append(table)
      rows += table.rows.count
    }
    return traces
  }

  /// Start times; nil after a sample of unknown length.
  private static func starts(_ samples: [PowerSample]) -> [Double?] {
    var start: Double? = 0
    return samples.map { sample in
      defer { start = start.flatMap { now in sample.elapsed.map { now + $0 } } }
      return start.map { ($0 * 1e6).rounded() / 1e6 }
    }
  }

  private static func interval(_ samples: [PowerSample]) -> Double? {
    let lengths = samples.compactMap(\.elapsed).sorted()
    return lengths.isEmpty ? nil : lengths[lengths.count / 2]
  }

  private static func power(_ samples: [PowerSample], _ starts: [Double?]) -> Trace {
    table("power", ["t", "cpu", "gpu", "ane", "combined", "dram", "package"], samples, starts) { sample in
      let row = [
        sample.cpuPower, sample.gpuPower, sample.anePower, sample.combinedPower, sample.dramPower, sample.packagePower,
      ]
      return row.contains { $0 != nil } ? [row.map(cell)] : []
    }
  }

  private static func graphics(_ samples: [PowerSample], _ starts: [Double?]) -> Trace {
    table("gpu", ["t", "frequency", "active_residency", "idle_residency"], samples, starts) { sample in
      sample.gpu.map { [[cell($0.frequency), cell($0.active), cell($0.idle)]] } ?? []
    }
  }

  private static func clusters(_ samples: [PowerSample], _ starts: [Double?]) -> Trace {
    let columns = [
      "t", "cluster", "frequency", "active_residency", "idle_residency", "down_residency", "online", "power",
    ]
    return table("cpu", columns, samples, starts) { sample in
      sample.clusters.map { cluster in
        [.text(cluster.name)]
          + [cluster.frequency, cluster.active, cluster.idle, cluster.down, cluster.online, cluster.power].map(cell)
      }
    }
  }

  private static func cores(_ samples: [PowerSample], _ starts: [Double?]) -> Trace {
    let columns = ["t", "cluster", "core", "frequency", "active_residency", "idle_residency", "down_residency"]
    return table("core", columns, samples, starts) { sample in
      sample.clusters.flatMap { cluster in
        cluster.cores.map { core in
          [.text(cluster.name), .integer(core.number)] + [core.frequency, core.active, core.idle, core.down].map(cell)
        }
      }
    }
  }

  private static func table(
    _ kind: String, _ columns: [String], _ samples: [PowerSample], _ starts: [Double?],
    rows: (PowerSample) -> [[Scalar]]
  ) -> Trace {
    let all = zip(samples, starts).flatMap { sample, start in rows(sample).map { [cell(start)] + $0 } }
    return Trace(kind: kind, columns: columns, rows: all)
  }

  private static func cell(_ value: Double?) -> Scalar {
    value.map(Scalar.number) ?? .missing
  }
}

extension Trace {
  /// Drop empty columns row by row, so that a long table is never held twice.
  fileprivate mutating func leaveOutEmptyColumns() {
    let kept = columns.indices.filter { column in rows.contains { $0[column] != .missing } }
    guard kept.count < columns.count else { return }
    columns = kept.map { columns[$0] }
    for place in rows.indices {
      let row = rows[place]
      rows[place] = kept.map { row[$0] }
    }
  }
}

/// Statistics of one phase of a power run (quiet, loading, loaded …).
package struct PowerSummary: Codable, Equatable, Sendable {
  /// Statistics over the samples that have the reading.
  package struct Spread: Codable, Equatable, Sendable {
    package var samples: Int
    package var mean: Double
    /// Standard deviation; nil for a single sample.
    package var deviation: Double?
    package var maximum: Double

    package init?(_ values: [Double]) {
      guard let maximum = values.max() else { return nil }
      let mean = values.reduce(0, +) / Double(values.count)
      samples = values.count
      self.mean = mean
      self.maximum = maximum
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      deviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : nil
    }
  }

  package struct Cluster: Codable, Equatable, Sendable {
    package var name: String
    package var frequency: Spread?
    package var active: Spread?
    package var power: Spread?
  }

  package var phase: String
  package var cpuPower: Spread?
  package var gpuPower: Spread?
  package var anePower: Spread?
  package var combinedPower: Spread?
  package var clusters: [Cluster]

  /// Summarise the samples entirely between two times, in seconds from the start of the first.
  package static func of(_ samples: [PowerSample], phase: String, between range: ClosedRange<Double>) -> PowerSummary {
    var start = 0.0
    var inside: [PowerSample] = []
    for sample in samples {
      guard let elapsed = sample.elapsed else { break }
      // Allow a microsecond either way: end times are sums.
      if start > range.lowerBound - 1e-6, start + elapsed < range.upperBound + 1e-6 { inside.append(sample) }
      start += elapsed
    }
    return of(inside, phase: phase)
  }

  package static func of(_ samples: [PowerSample], phase: String) -> PowerSummary {
    var names: [String] = []
    for cluster in samples.flatMap(\.clusters) where !names.contains(cluster.name) { names.append(cluster.name) }
    let clusters = names.map { name in
      let own = samples.flatMap(\.clusters).filter { $0.name == name }
      return Cluster(
        name: name, frequency: Spread(own.compactMap(\.frequency)), active: Spread(own.compactMap(\.active)),
        power: Spread(own.compactMap(\.power)))
    }
    return PowerSummary(
      phase: phase, cpuPower: Spread(samples.compactMap(\.cpuPower)), gpuPower: Spread(samples.compactMap(\.gpuPower)),
      anePower: Spread(samples.compactMap(\.anePower)), combinedPower: Spread(samples.compactMap(\.combinedPower)),
      clusters: clusters)
  }
}

import Document

/// Conversion of timings to a document's series. Pure.
enum DiskSeries {
  /// Speeds per file size with their positions, then one average per complete set. A set with a
  /// missing file has no average.
  static func make(from outcome: DiskOutcome, plan: DiskPlan) -> [Series] {
    var series = averages(of: outcome.writes, plan, as: .diskWriteAverage) { $0.seconds }
    series += averages(of: outcome.reads, plan, as: .diskReadAverage) { $0.seconds }
    series += averages(of: outcome.writes, plan, as: .diskWriteFlushedAverage) { timing in
      timing.flush.map { timing.seconds + $0 }
    }
    series += speeds(of: outcome.writes, plan, as: .diskWriteSpeed)
    series += speeds(of: outcome.reads, plan, as: .diskReadSpeed)
    return series
  }

  private static func speeds(of timings: [FileTiming], _ plan: DiskPlan, as metric: Metric) -> [Series] {
    plan.method.sizes.compactMap { size in
      let own = timings.filter { $0.file.bytes == size }
      guard !own.isEmpty else { return nil }
      return Series(
        metric: metric, parameters: ["file_size": .integer(size)],
        values: own.map { $0.speed.rounded() }, positions: own.map(\.file.position))
    }
  }

  private static func averages(
    of timings: [FileTiming], _ plan: DiskPlan, as metric: Metric,
    seconds: (FileTiming) -> Double?
  ) -> [Series] {
    let values = (1...plan.sets).compactMap { set -> Double? in
      let times = timings.filter { $0.file.set == set }.map(seconds)
      guard times.count == plan.method.sizes.count, !times.contains(nil) else { return nil }
      let total = times.compactMap { $0 }.reduce(0, +)
      return (Double(plan.method.bytesPerSet) / total).rounded()
    }
    return values.isEmpty ? [] : [Series(metric: metric, values: values)]
  }
}

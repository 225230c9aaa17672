import Base
import Document
import MacTools

/// Conversion of samples and phases to a document's series and traces. Pure.
package struct PowerSeries {
  package let plan: PowerPlan
  package let context: CoreContext
  package let outcome: PowerRun.Outcome

  package init(plan: PowerPlan, context: CoreContext, outcome: PowerRun.Outcome) {
    self.plan = plan
    self.context = context
    self.outcome = outcome
  }

  /// Share of a sample's time above which a core counts as active.
  private static let activeShare = 0.5
  /// Minimum number of samples of a kind; fewer are only transitions.
  private static let fewest = 3

  package func series() -> [Series] {
    quietPower() + loadedSpans.flatMap(power) + maximum() + slopes() + loadedSpans.flatMap(energy) + frequencies()
  }

  package func traces() -> [Trace] {
    let rows = outcome.spans.map { span in
      [.number(rounded(span.start)), .number(rounded(span.end)), .text(span.phase.kind.rawValue), .integer(span.phase.threads)] as [Scalar]
    }
    let phases = Trace(kind: "phases", columns: ["t", "end", "phase", "threads"], rows: rows)
    return PowerTrace.traces(outcome.samples.map(\.sample)) + (rows.isEmpty ? [] : [phases])
  }

  /// The loaded phases.
  package var loadedSpans: [PowerRun.Span] { outcome.spans.filter { $0.phase.kind == .loaded } }

  func samples(in span: PowerRun.Span) -> [PowerSample] {
    // Allow a microsecond either way: end times are sums.
    outcome.samples.filter { $0.start > span.start - 1e-6 && $0.end < span.end + 1e-6 }.map(\.sample)
  }

  package func meanPower(_ span: PowerRun.Span) -> PowerSummary.Spread? {
    PowerSummary.Spread(samples(in: span).compactMap(\.cpuPower))
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

  private func parameters(_ threads: Int) -> [String: Scalar] {
    shared.merging([
      "threads": .integer(threads), "core_context": .text(context.name(threads: threads, quality: plan.quality)),
    ]) { $1 }
  }

  private var shared: [String: Scalar] {
    ["kernel": .text(plan.kernel), "qos": .text(plan.quality.rawValue)]
  }

  private func quietPower() -> [Series] {
    let values = outcome.spans.filter { $0.phase.kind == .quiet }.flatMap(samples).compactMap(\.cpuPower)
    return values.isEmpty ? [] : [Series(metric: .powerCPUTotal, parameters: ["threads": 0], values: values)]
  }

  private func power(_ span: PowerRun.Span) -> [Series] {
    let values = samples(in: span).compactMap(\.cpuPower)
    guard !values.isEmpty else { return [] }
    return [Series(metric: .powerCPUTotal, parameters: parameters(span.phase.threads), values: values)]
  }

  private func maximum() -> [Series] {
    let highest = loadedSpans.compactMap { span in meanPower(span).map { (span.phase.threads, $0.maximum) } }
      .max { $0.1 < $1.1 }
    return highest.map { [Series(metric: .powerCPUMaximum, parameters: parameters($0.0), values: [$0.1])] } ?? []
  }

  /// Power cost of each added thread within a tier, and in a slower tier once the faster ones are
  /// full.
  private func slopes() -> [Series] {
    let last = context.cores(for: plan.quality)
    let first = min(context.tiers[0].cores, last)
    let own = (context.name(threads: 1, quality: plan.quality), 1...(plan.quality == .background ? last : first))
    let spills = plan.quality == .background ? [] : context.spills.map { ($0.name, $0.threads) }
    return ([own] + spills).compactMap { name, threads in
      let points = loadedSpans.filter { threads.contains($0.phase.threads) }.compactMap { span in
        meanPower(span).map { (x: Double(span.phase.threads), y: $0.mean) }
      }
      guard let line = Robust.line(through: points), line.slope > 0 else { return nil }
      let named = shared.merging(["core_context": .text(name)]) { $1 }
      return Series(metric: .powerPerAddedThread, parameters: named, values: [line.slope])
    }
  }

  /// Energy per thread: power times the time one thread takes for so many loops, divided by the
  /// threads.
  private func energy(_ span: PowerRun.Span) -> [Series] {
    guard let rate = span.rate, rate > 0, let power = meanPower(span) else { return [] }
    let loops = Self.energyLoops
    let joules = power.mean * Double(loops) / rate / Double(span.phase.threads)
    let counted = parameters(span.phase.threads).merging(["loops": .integer(loops)]) { $1 }
    return joules > 0 ? [Series(metric: .energyPerThread, parameters: counted, values: [joules])] : []
  }

  /// The same work everywhere, so that energies can be compared.
  static let energyLoops = 1_000_000_000

  /// Frequencies by tier and number of its cores seen active, whatever was requested.
  private func frequencies() -> [Series] {
    var seen: [Place: [Double]] = [:]
    for sample in loadedSpans.flatMap(samples) {
      for tier in context.tiers.map(\.name) {
        let clusters = sample.clusters.filter { sample.tier(of: $0, among: context.tiers.map(\.name)) == tier }
        let active = clusters.flatMap(\.cores).count { ($0.active ?? 0) > Self.activeShare }
        guard active > 0 else { continue }
        let working = clusters.filter { $0.cores.contains { ($0.active ?? 0) > Self.activeShare } }
        seen[Place(tier: tier, active: active), default: []] += working.compactMap(\.frequency)
      }
    }
    return seen.filter { $0.value.count >= Self.fewest }.sorted { $0.key < $1.key }.map { place, values in
      Series(
        metric: .coresFrequency, parameters: ["tier": .text(place.tier), "active_cores": .integer(place.active)],
        values: values)
    }
  }

  private struct Place: Hashable, Comparable {
    let tier: String
    let active: Int

    static func < (one: Place, other: Place) -> Bool { (one.tier, one.active) < (other.tier, other.active) }
  }
}

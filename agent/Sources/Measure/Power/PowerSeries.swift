import Base
import Document
import MacTools

/// From samples and phases to the series and traces of a document. Pure.
package struct PowerSeries {
  package let plan: PowerPlan
  package let context: CoreContext
  package let outcome: PowerRun.Outcome

  package init(plan: PowerPlan, context: CoreContext, outcome: PowerRun.Outcome) {
    self.plan = plan
    self.context = context
    self.outcome = outcome
  }

  /// A core counts as active that works for more than half of a sample's time.
  private static let activeShare = 0.5
  /// Fewer samples of a kind are moments between two states.
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

  /// Mean and standard deviation over each loaded phase, for the terminal.
  package var loadedSpans: [PowerRun.Span] { outcome.spans.filter { $0.phase.kind == .loaded } }

  func samples(in span: PowerRun.Span) -> [PowerSample] {
    // A microsecond either way: ends are sums.
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

  /// What each added thread costs within a tier, and in a slower tier once the faster ones are full.
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

  /// Power times the time that one thread takes for so many loops, a thread's share of it.
  private func energy(_ span: PowerRun.Span) -> [Series] {
    guard let rate = span.rate, rate > 0, let power = meanPower(span) else { return [] }
    let loops = Self.energyLoops
    let joules = power.mean * Double(loops) / rate / Double(span.phase.threads)
    let counted = parameters(span.phase.threads).merging(["loops": .integer(loops)]) { $1 }
    return joules > 0 ? [Series(metric: .energyPerThread, parameters: counted, values: [joules])] : []
  }

  /// The same work everywhere, so that energies can be compared.
  static let energyLoops = 1_000_000_000

  /// By tier and the number of its cores that were seen working, whatever was asked for.
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

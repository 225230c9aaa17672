import Document
import Foundation

/// The cores that a number of threads is assumed to run on, by requested quality. Not observed.
///
/// `Performance/high` while the fastest tier has a core for each thread;
/// `Performance+Efficiency/high` from then on, for the whole run; `Efficiency/background`. A lower
/// tier at high quality of service shows only as a slope.
package struct CoreContext: Equatable, Sendable {
  /// Fastest first; never empty.
  let tiers: [CoreTier]

  /// - Parameter tiers: the system's tiers; nil if unknown, and all cores are then one tier.
  package init(tiers: [CoreTier]?, cores: Int) {
    let known = tiers ?? []
    self.tiers = known.isEmpty ? [CoreTier(name: "Core", cores: max(1, cores))] : known
  }

  /// Use the machine's own tiers and cores.
  package init(_ facts: MachineFacts) {
    self.init(tiers: facts.coreTiers, cores: ProcessInfo.processInfo.activeProcessorCount)
  }

  package func name(threads: Int, quality: ThreadQuality) -> String {
    guard quality == .userInteractive else { return tiers[tiers.count - 1].name + "/background" }
    var reached: [String] = []
    var room = 0
    for tier in tiers where room < threads {
      reached.append(tier.name)
      room += tier.cores
    }
    return reached.joined(separator: "+") + "/high"
  }

  /// Number of threads that a quality of service has cores for.
  package func cores(for quality: ThreadQuality) -> Int {
    quality == .background ? tiers[tiers.count - 1].cores : tiers.map(\.cores).reduce(0, +)
  }

  /// The lower tiers with the range of threads in which each fills, and its name in a slope:
  /// ("Efficiency/high", 10...14).
  var spills: [(name: String, threads: ClosedRange<Int>)] {
    var full = tiers[0].cores
    return tiers.dropFirst().map { tier in
      defer { full += tier.cores }
      return (tier.name + "/high", full...(full + tier.cores))
    }
  }
}

import Document
import Foundation

/// Which cores a number of threads is taken to run on, by what was asked for. Assumed, not observed.
///
/// `Performance/high` while the fastest tier has a core for each thread; `Performance+Efficiency/high`
/// from there on, for the whole run; `Efficiency/background`. A lower tier at high quality of service
/// exists only as a slope.
package struct CoreContext: Equatable, Sendable {
  /// Fastest first; at least one.
  let tiers: [CoreTier]

  /// - Parameter tiers: as the system tells them; nil where it does not, and then all cores are one tier.
  package init(tiers: [CoreTier]?, cores: Int) {
    let known = tiers ?? []
    self.tiers = known.isEmpty ? [CoreTier(name: "Core", cores: max(1, cores))] : known
  }

  /// Of the machine's own tiers and cores.
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

  /// How many threads a quality of service has cores for.
  package func cores(for quality: ThreadQuality) -> Int {
    quality == .background ? tiers[tiers.count - 1].cores : tiers.map(\.cores).reduce(0, +)
  }

  /// The lower tiers with the numbers of threads between which each fills, and what it is called where
  /// a slope makes it visible: ("Efficiency/high", 10...14).
  var spills: [(name: String, threads: ClosedRange<Int>)] {
    var full = tiers[0].cores
    return tiers.dropFirst().map { tier in
      defer { full += tier.cores }
      return (tier.name + "/high", full...(full + tier.cores))
    }
  }
}

import Base
import Document
import Foundation

/// The machine that an imported run belongs to.
package enum ImportOwner: Equatable {
  /// This machine, and the evidence; nil if this is only assumed.
  case this(because: String?)
  /// No known machine, and the reason.
  case unspecified(because: String)
  /// Another machine, by the id given.
  case other(id: String)

  /// The owner given by `--machine`; nil if the file decides.
  package static func asked(_ text: String?, own id: String) throws -> ImportOwner? {
    switch text?.lowercased() {
    case nil: return nil
    case "this": return .this(because: "as --machine says")
    case "unspecified": return .unspecified(because: "as --machine says")
    case let other?:
      guard UUID(uuidString: other) != nil else {
        throw UsageError("--machine takes this, unspecified or a machine's id (`macmeter info` shows this one's)")
      }
      return other == id ? .this(because: "as --machine says") : .other(id: other)
    }
  }

  /// Decide by what the file says about its machine.
  ///
  /// Some tools print which Mac they ran on. If that is missing (a heading was cut off), the output
  /// was copied, and counts as this machine's only if its cores match. fio, sysbench and hyperfine
  /// never say: their results count as this machine's unless something contradicts it.
  package static func of(_ run: ImportedRun, on facts: MachineFacts) -> ImportOwner {
    let stated = run.stated
    let system = system(facts)
    if let other = stated.system, other != system {
      return .unspecified(because: "it was measured on \(name(other)), and this is \(name(system))")
    }
    if let model = stated.model, model != facts.model {
      return .unspecified(because: "it was measured on a \(model), and this is \(facts.model ?? "none")")
    }
    if let chip = stated.chip, chip != facts.chip {
      return .unspecified(because: "it was measured on an \(chip), and this is \(facts.chip.map { "an " + $0 } ?? "none")")
    }
    let cores = CoreLayout(stated.clusters)
    let own = CoreLayout(facts.coreTiers)
    if let own, cores.exceeds(own) {
      return .unspecified(because: "it shows \(cores), and this Mac has \(own)")
    }
    let highest = facts.coreTiers?.compactMap(\.maxFrequency).max()
    if let highest, let seen = stated.highestFrequency, seen > highest * 1.02 {
      return .unspecified(because: "its cores ran at \(gigahertz(seen)), and this Mac's reach \(gigahertz(highest))")
    }
    if let model = stated.model { return .this(because: "both are \(model)") }
    if let chip = stated.chip { return .this(because: "both have an \(chip)") }
    if let own, cores == own { return .this(because: "both have \(own)") }
    if toolsThatSay.contains(run.tool.name) {
      return .unspecified(because: "the file does not say which Mac it was measured on")
    }
    return .this(because: nil)
  }

  /// This machine's system; a simulated one is always a Mac.
  static func system(_ facts: MachineFacts) -> String {
    facts.platform.map { String($0.prefix { $0 != "-" }) } ?? SystemKind.macOS.rawValue
  }

  private static let toolsThatSay = ["powermetrics", "Geekbench", "AmorphousDiskMark"]

  private static func name(_ system: String) -> String {
    ["macos": "macOS", "linux": "Linux", "windows": "Windows", "ios": "iOS"][system] ?? system
  }

  private static func gigahertz(_ frequency: Double) -> String { Figures.significant(frequency / 1e9, 3) + " GHz" }
}

/// Number of cores per cluster. Cluster names differ between systems and chips; sizes don't.
struct CoreLayout: Equatable, CustomStringConvertible {
  /// Cluster sizes in ascending order; empty if no core is known.
  let clusters: [Int]

  init(_ clusters: [String: Int]) { self.clusters = clusters.values.filter { $0 > 0 }.sorted() }

  /// nil if the system doesn't report its clusters.
  init?(_ tiers: [CoreTier]?) {
    guard let tiers, !tiers.isEmpty else { return nil }
    clusters = tiers.flatMap { $0.clusters ?? [$0.cores] }.sorted()
  }

  var cores: Int { clusters.reduce(0, +) }

  /// Whether these can't be that machine's cores: more in total, or as many in other clusters.
  /// Fewer may come from a truncated recording.
  func exceeds(_ other: CoreLayout) -> Bool {
    cores > other.cores || (cores == other.cores && self != other)
  }

  var description: String {
    "\(cores) cores in clusters of " + clusters.map(String.init).joined(separator: ", ")
  }
}

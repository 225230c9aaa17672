import Document
import Foundation

/// CPU cluster frequencies and the grouping of cores into clusters, from `ioreg -w0 -rn pmgr`.
package struct FrequencyTables: Codable, Equatable, Sendable {
  /// Frequencies in hertz, ascending, by the number in the table's name ("voltage-states5-sram").
  package var tables: [Int: [Double]] = [:]
  /// Cores in each cluster, in order of core numbers; nil if the registry doesn't say.
  package var clusters: [Int]?
  /// From M5 on: the table of each cluster type, slowest first.
  private var tablesByKind: [Int]?

  /// nil if the output has neither pmgr nor, from M6 on, pmgr-child (virtual machines).
  package static func read(_ text: String) -> FrequencyTables? {
    let nodes = ["pmgr", "pmgr-child"].compactMap { RegistryNode.find($0, in: text) }
    guard let node = nodes.max(by: { frequencies(in: $0).count < frequencies(in: $1).count }) else { return nil }
    var result = FrequencyTables(tables: frequencies(in: node))
    result.clusters = node.data("clusters").flatMap(clusters)
    result.tablesByKind = node.data("acc-clusters").map { kinds($0, having: result.tables) }
    return result
  }

  private static func frequencies(in node: RegistryNode) -> [Int: [Double]] {
    var tables: [Int: [Double]] = [:]
    for number in 0..<64 {
      guard let data = node.data("voltage-states\(number)-sram"), let steps = steps(data) else { continue }
      tables[number] = steps
    }
    return tables
  }

  /// Read pairs of frequency and voltage, 32 bits each, little-endian. In hertz up to M3, in
  /// kilohertz from M4 on (4.5 GHz overflows): no cluster's top frequency is below 100 MHz or above
  /// 100 GHz.
  private static func steps(_ data: [UInt8]) -> [Double]? {
    guard data.count >= 8, data.count % 8 == 0 else { return nil }
    let values = stride(from: 0, to: data.count, by: 8).map { Double(number(data, at: $0)) }.filter { $0 > 0 }
    guard let top = values.max() else { return nil }
    let scale: Double = top >= 1e8 ? 1 : 1000
    guard top * scale >= 1e8 else { return nil }
    return Set(values.map { $0 * scale }).sorted()
  }

  private static func number(_ data: [UInt8], at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) }
  }

  private static func clusters(_ data: [UInt8]) -> [Int]? {
    guard data.count >= 4, data.count % 4 == 0 else { return nil }
    let counts = stride(from: 0, to: data.count, by: 4).map { Int(number(data, at: $0)) }
    return counts.allSatisfy { (0...64).contains($0) } ? counts.filter { $0 > 0 } : nil
  }

  /// Read entries of 8 bytes: the table's number, then the cluster type (higher is faster). Types
  /// without cores or a table may be listed.
  private static func kinds(_ data: [UInt8], having tables: [Int: [Double]]) -> [Int] {
    let entries = stride(from: 0, to: data.count - data.count % 8, by: 8)
      .map { (table: Int(data[$0]), kind: Int(data[$0 + 1])) }.filter { tables[$0.table] != nil }
    let kinds = Dictionary(entries.map { ($0.kind, $0.table) }) { first, _ in first }
    return kinds.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Add clusters and frequencies to the tiers: clusters if missing and if the registry's add up to
  /// the tier's cores. The registry may say which table is whose; up to M4, table 1 is the
  /// Efficiency tier's and table 5 the Performance tier's. Otherwise the tiers are unchanged.
  package func adding(to tiers: [CoreTier]) -> [CoreTier] {
    var numbers: [Int]?
    if let tablesByKind {
      numbers = tablesByKind.count >= tiers.count ? Array(tablesByKind.suffix(tiers.count).reversed()) : nil
    } else if tiers.map(\.name) == ["Performance", "Efficiency"] {
      numbers = [5, 1]
    }
    let tiers = clustered(tiers)
    guard let numbers else { return tiers }
    return zip(tiers, numbers).map { tier, number in
      var tier = tier
      tier.minFrequency = tables[number]?.first
      tier.maxFrequency = tables[number]?.last
      return tier
    }
  }

  /// Assign clusters to tiers; the registry lists them slowest tier first.
  private func clustered(_ tiers: [CoreTier]) -> [CoreTier] {
    guard var rest = clusters?[...], tiers.contains(where: { $0.clusters == nil }) else { return tiers }
    var filled = tiers
    for place in tiers.indices.reversed() {
      var own: [Int] = []
      while own.reduce(0, +) < tiers[place].cores, let next = rest.popFirst() { own.append(next) }
      guard own.reduce(0, +) == tiers[place].cores else { return tiers }
      filled[place].clusters = tiers[place].clusters ?? own
    }
    return rest.isEmpty ? filled : tiers
  }
}

extension FrequencyTables {
  package static let recorded = RegistryNode.recorded(of: ["pmgr", "pmgr-child"]) { name in
    name == "clusters" || name == "acc-clusters" || (name.hasPrefix("voltage-states") && name.hasSuffix("-sram"))
  }
}

import Formats
import Foundation

/// The Thunderbolt devices that a drive may be in. No tool reports this: it is inferred from the
/// drive's model, the port in its registry path, and which devices can hold drives.
package struct DrivePlaces: Equatable {
  package typealias Chain = ThunderboltTree.Chain

  /// One if known; several if the drive may be in any of them.
  let chains: [Chain]

  /// - Parameters:
  ///   - disk: the whole disk of the drive.
  ///   - added: number of drives that aren't Apple's own; 0 if unknown.
  ///   - displays: the displays' names; called only if needed.
  package init(of disk: DiskInformation?, added: Int, in tree: ThunderboltTree, displays: () -> [String]) {
    var places = Self.onSocket(disk?.thunderboltBus, tree)
    let named = places.filter { $0.device.isCalled(disk?.model) }
    guard named.count != 1 else {
      chains = named
      return
    }
    places.removeAll { $0.device.kind == .noDrive }
    if places.count > 1 {
      let shown = displays().map(LabelledText.plain)
      places.removeAll { $0.device.isDisplay(shown) }
    }
    // A dock may hold a drive, but not if there are enough other places for all drives.
    let cases = places.filter { $0.device.kind == .unknown }
    chains = cases.isEmpty || added > cases.count ? places : cases
  }

  /// The devices on that port; all devices if it is unknown or empty.
  private static func onSocket(_ number: Int?, _ tree: ThunderboltTree) -> [Chain] {
    let own = ThunderboltTree(buses: tree.buses.filter { number != nil && $0.number == number }).all
    return own.isEmpty ? tree.all : own
  }

  /// Why the drive's device is unknown; nil if it is known or makes no difference.
  package func doubt(calling name: (String?) -> String? = { $0 }) -> String? {
    guard chains.count != 1 else { return nil }
    let storages = Set(chains.map { $0.device.storage?.rawValue ?? "" })
    guard storages.count != 1 else { return nil }
    guard !chains.isEmpty else { return "no Thunderbolt device that could hold this drive is listed" }
    let names = chains.map { name($0.device.name) ?? "a device without a name" }
    return "the drive can be in any of \(names.count) Thunderbolt devices: \(names.joined(separator: ", "))"
  }
}

extension ThunderboltTree.Device {
  package enum Kind {
    /// A pass-through device or display, with no room for a drive.
    case noDrive
    /// A dock that may also have room for one.
    case dock
    /// An enclosure, or an unknown device.
    case unknown
  }

  /// The kind, inferred from the manufacturer's name.
  package var kind: Kind {
    let words = Set((name ?? "").lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init))
    if !words.isDisjoint(with: ["display", "displays", "monitor", "ultrafine", "cinema", "xdr", "adapter", "ethernet"]) { return .noDrive }
    let docks: Set<String> = ["dock", "docking", "docks", "hub", "station", "ts3", "ts4", "ts5", "sd5700t", "echo"]
    return words.isDisjoint(with: docks) ? .unknown : .dock
  }

  /// Whether this is a display: both lists use the same name, with or without the manufacturer's.
  fileprivate func isDisplay(_ shown: [String]) -> Bool {
    guard let name = name.map(LabelledText.plain), name.count >= 4 else { return false }
    let full = LabelledText.plain(vendor ?? "") + name
    return shown.contains { $0 == name || $0 == full || (name.count >= 6 && $0.hasSuffix(name)) || ($0.count >= 6 && name.hasSuffix($0)) }
  }

  /// Whether its name is the drive's model: some drives are named after their device.
  fileprivate func isCalled(_ model: String?) -> Bool {
    guard let model = model.map(LabelledText.plain), let name = name.map(LabelledText.plain), name.count >= 4 else { return false }
    return name == model || LabelledText.plain(vendor ?? "") + name == model
  }
}

/// Names of displays in `system_profiler SPDisplaysDataType`.
enum DisplayNames {
  static func read(_ data: Data) -> [String] {
    (ProfilerItems.read("SPDisplaysDataType", in: data) ?? []).flatMap { $0["spdisplays_ndrvs"]?.items ?? [] }
      .filter { !isWithoutCable($0) }.compactMap { $0["_name"]?.text }
  }

  /// Whether this is a virtual or AirPlay display, whose name may be a user's.
  static func isWithoutCable(_ display: ToolValue) -> Bool {
    display["spdisplays_virtualdevice"]?.text == "spdisplays_yes" || display["spdisplays_connection_type"]?.text == "spdisplays_airplay"
  }
}

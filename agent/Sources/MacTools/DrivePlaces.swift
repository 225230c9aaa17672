import Formats
import Foundation

/// Which Thunderbolt devices a drive can be in. No tool says it: a drive is known by its model, the
/// socket by its path in the registry, and what is left is what holds drives at all.
package struct DrivePlaces: Equatable {
  package typealias Chain = ThunderboltTree.Chain

  /// One where it is known; several where the drive can be in each.
  let chains: [Chain]

  /// - Parameters:
  ///   - disk: the whole disk that the drive is.
  ///   - added: how many drives there are that are not Apple's own; 0 where that is not known.
  ///   - displays: the displays' names; asked for only where it matters.
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
    // A dock may hold a drive, but where there is something for every drive besides, it does not.
    let cases = places.filter { $0.device.kind == .unknown }
    chains = cases.isEmpty || added > cases.count ? places : cases
  }

  /// The devices behind that socket; all devices if it is unknown or empty.
  private static func onSocket(_ number: Int?, _ tree: ThunderboltTree) -> [Chain] {
    let own = ThunderboltTree(buses: tree.buses.filter { number != nil && $0.number == number }).all
    return own.isEmpty ? tree.all : own
  }

  /// Why it is not known which device the drive is in; nil where it is, or where it makes no difference.
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
    /// Passes the link on, or shows pictures, and has no room for a drive.
    case noDrive
    /// May have room for one, beside what it is for.
    case dock
    /// An enclosure, or something nobody has heard of.
    case unknown
  }

  /// By its manufacturer's name for it.
  package var kind: Kind {
    let words = Set((name ?? "").lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init))
    if !words.isDisjoint(with: ["display", "displays", "monitor", "ultrafine", "cinema", "xdr", "adapter", "ethernet"]) { return .noDrive }
    let docks: Set<String> = ["dock", "docking", "docks", "hub", "station", "ts3", "ts4", "ts5", "sd5700t", "echo"]
    return words.isDisjoint(with: docks) ? .unknown : .dock
  }

  /// Both lists use the same name for a display, with or without its manufacturer's.
  fileprivate func isDisplay(_ shown: [String]) -> Bool {
    guard let name = name.map(LabelledText.plain), name.count >= 4 else { return false }
    let full = LabelledText.plain(vendor ?? "") + name
    return shown.contains { $0 == name || $0 == full || (name.count >= 6 && $0.hasSuffix(name)) || ($0.count >= 6 && name.hasSuffix($0)) }
  }

  /// Some drives are called as the device that they are in.
  fileprivate func isCalled(_ model: String?) -> Bool {
    guard let model = model.map(LabelledText.plain), let name = name.map(LabelledText.plain), name.count >= 4 else { return false }
    return name == model || LabelledText.plain(vendor ?? "") + name == model
  }
}

/// The names of displays in `system_profiler SPDisplaysDataType`.
enum DisplayNames {
  static func read(_ data: Data) -> [String] {
    (ProfilerItems.read("SPDisplaysDataType", in: data) ?? []).flatMap { $0["spdisplays_ndrvs"]?.items ?? [] }
      .filter { !isWithoutCable($0) }.compactMap { $0["_name"]?.text }
  }

  /// Displays over AirPlay, and what programs show as displays, are called as somebody calls them.
  static func isWithoutCable(_ display: ToolValue) -> Bool {
    display["spdisplays_virtualdevice"]?.text == "spdisplays_yes" || display["spdisplays_connection_type"]?.text == "spdisplays_airplay"
  }
}

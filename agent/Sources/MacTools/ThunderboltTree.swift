import Document
import Formats
import Foundation

/// Thunderbolt and USB4 buses and their devices, each with its negotiated link speed, from
/// `system_profiler SPThunderboltDataType`. Unique ids are never kept.
package struct ThunderboltTree: Codable, Equatable, Sendable {
  package struct Device: Codable, Equatable, Sendable {
    package var name: String?
    package var vendor: String?
    /// The negotiated protocol in the tool's words ("usb_four_v2"); nil for another Mac.
    package var mode: String?
    /// Speed of the link towards the Mac, in bit/s.
    package var linkSpeed: Double?
    package var devices: [Device] = []

    /// The kind of storage for a drive on this link. Thunderbolt 5 is USB4 version 2 on an 80 Gb/s
    /// link; Thunderbolt 4 calls itself USB4.
    package var storage: Storage? {
      switch mode {
      case "thunderbolt_three": .thunderbolt3
      case "thunderbolt_four": .thunderbolt4
      case "thunderbolt_five": .thunderbolt5
      case "usb_four": .usb4
      case "usb_four_v2": linkSpeed.map { $0 >= 80e9 ? .thunderbolt5 : .usb4 }
      case nil: nil
      default: .other
      }
    }
  }

  package struct Bus: Codable, Equatable, Sendable {
    /// The number in its name and in the port's registry name.
    package var number: Int?
    /// Speed of the link to its first device, in bit/s; nil if nothing is connected.
    package var linkSpeed: Double?
    package var devices: [Device] = []
  }

  /// A device and everything between it and the Mac, nearest the Mac first.
  package struct Chain: Equatable, Sendable {
    package var device: Device
    package var via: [Device]
  }

  package var buses: [Bus] = []

  package static func read(_ data: Data) -> ThunderboltTree? {
    ProfilerItems.read("SPThunderboltDataType", in: data).map { buses in
      ThunderboltTree(buses: buses.map(bus))
    }
  }

  private static func bus(_ value: ToolValue) -> Bus {
    let speeds = receptacles(value).compactMap(speed)
    let items = items(value)
    // A bus may have several ports (Thunderbolt 2); it is then unknown which leads where.
    let linkSpeed = speeds.count == 1 ? speeds.first : nil
    let devices = items.map { device($0, depth: 0) }
    let shared = devices.count == 1 ? linkSpeed : nil
    let number = value["_name"]?.text?.components(separatedBy: "_bus_").dropFirst().last.flatMap { Int($0) }
    return Bus(number: number, linkSpeed: linkSpeed, devices: devices.map { $0.onLink(of: shared) })
  }

  private static func device(_ value: ToolValue, depth: Int) -> Device {
    let upstream = value["receptacle_upstream_ambiguous_tag"] ?? value["receptacle_upstream_tag"]
    // Another Mac is its own domain. A redacted mode is unknown, and no Mac's.
    let isMac = value["domain_uuid_key"] != nil || value["services_title"] != nil
    let mode = value["mode_key"].map { $0.text?.lowercased() ?? "" } ?? (isMac ? nil : "")
    // Another Mac's item may have a name given by its owner.
    let name = value["device_name_key"]?.text ?? (value["mode_key"] == nil ? nil : value["_name"]?.text)
    return Device(
      name: name, vendor: value["vendor_name_key"]?.text, mode: mode, linkSpeed: upstream.flatMap(speed),
      devices: depth < 16 ? items(value).map { device($0, depth: depth + 1) } : [])
  }

  /// Attached devices; an unreadable list counts as one unknown device.
  private static func items(_ value: ToolValue) -> [ToolValue] {
    guard let items = value["_items"] else { return [] }
    if case .array(let items) = items { return items }
    return [.other]
  }

  private static func receptacles(_ value: ToolValue) -> [ToolValue] {
    value.entries.filter { $0.key.hasPrefix("receptacle_") && $0.key.hasSuffix("_tag") }.map(\.value)
  }

  /// The link's rate. An empty port reports its capability ("Up to 120 Gb/s"). Older systems also
  /// write "Up to 40 Gb/s x1" for a link: on a connected port that is the negotiated rate.
  private static func speed(_ receptacle: ToolValue) -> Double? {
    let status = receptacle["receptacle_status_key"]?.text
    if let status, status.contains("no_devices") { return nil }
    guard let text = receptacle["current_speed_key"]?.text else { return nil }
    let isOneLink = text.hasSuffix(" x1")
    let rate = isOneLink ? String(text.dropLast(3)) : text
    return isOneLink && status == "receptacle_connected" ? Quantity.bitRate(within: rate) : Quantity.bitRate(rate)
  }

  /// Every device with its chain.
  package var all: [Chain] {
    func chains(_ device: Device, via: [Device]) -> [Chain] {
      let further = device.devices.flatMap { chains($0, via: via + [device]) }
      return (device.mode == nil ? [] : [Chain(device: device, via: via)]) + further
    }
    return buses.flatMap { $0.devices.flatMap { chains($0, via: []) } }
  }
}

extension ThunderboltTree.Device {
  /// Use the bus's speed if the device reports none (another Mac).
  fileprivate func onLink(of speed: Double?) -> Self {
    var device = self
    device.linkSpeed = linkSpeed ?? speed
    return device
  }
}

extension ThunderboltTree {
  package static let recorded = fields(isNamed: false)

  /// Keep manufacturers' device names, but not owners' names of other Macs; buses are numbered.
  private static func fields(isNamed: Bool) -> Shape {
    .fields { key in
      switch key {
      case "_items":
        return .each(.either { fields(isNamed: $0["domain_uuid_key"] == nil && $0["services_title"] == nil) })
      case "_name" where !isNamed:
        return .text { $0.contains("_bus_") ? $0.filter { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") } : nil }
      case "_name", "device_name_key": return isNamed ? Shape.fact : nil
      case "vendor_name_key": return isNamed ? .maker : nil
      case "mode_key": return .fact
      // Their presence indicates another Mac.
      case "domain_uuid_key", "services_title": return .nothing
      default: break
      }
      guard key.hasPrefix("receptacle_"), key.hasSuffix("_tag") else { return nil }
      return .fields(["receptacle_status_key": .fact, "current_speed_key": .fact])
    }
  }
}

import Formats
import Foundation

/// USB devices, from `system_profiler`: SPUSBHostDataType from macOS 26 on, SPUSBDataType before
/// (which still exists, but is empty). Serial numbers and volume names are never kept.
package struct USBTree: Codable, Equatable, Sendable {
  package struct Device: Codable, Equatable, Sendable {
    package var name: String?
    package var vendor: String?
    /// Negotiated link speed, in bit/s.
    package var linkSpeed: Double?
    /// Whether the link runs inside a Thunderbolt or USB4 link.
    package var isTunnelled: Bool?
    /// Its disks, before macOS 26.
    package var disks: [String] = []
    package var devices: [Device] = []
  }

  package struct Chain: Equatable, Sendable {
    package var device: Device
    /// Devices between it and the Mac, nearest the Mac first.
    package var via: [Device]
  }

  /// The buses, as devices without a link.
  package var buses: [Device] = []

  package static func read(_ data: Data) -> USBTree? {
    guard let value = ToolValue(data) else { return nil }
    let reports = ["SPUSBHostDataType", "SPUSBDataType"].compactMap { ProfilerItems.read($0, in: value) }
    guard !reports.isEmpty else { return nil }
    return USBTree(buses: (reports.first { !$0.isEmpty } ?? []).map { device($0, depth: 0) })
  }

  private static func device(_ value: ToolValue, depth: Int) -> Device {
    let items = depth < 16 ? value["_items"]?.items ?? [] : []
    return Device(
      name: value["_name"]?.text, vendor: (value["USBDeviceKeyVendorName"] ?? value["manufacturer"])?.text,
      linkSpeed: speed(value), isTunnelled: value["USBDeviceKeyUSB4Tunnel"]?.boolean,
      disks: (value["Media"] ?? value["USBDeviceKeyMedia"])?.items
        .compactMap { DeviceName.read($0["bsd_name"]?.text) } ?? [],
      devices: items.map { device($0, depth: depth + 1) })
  }

  private static func speed(_ value: ToolValue) -> Double? {
    if let text = value["USBDeviceKeyLinkSpeed"]?.text { return rate(text) }
    guard let code = value["device_speed"]?.text else { return nil }
    return speeds[code] ?? rate(code)
  }

  /// Parse "10 Gb/s". Older systems print "Up to 10 Gb/s" or "up_to_10_Gb_per_sec" for a device's
  /// link and mean the negotiated rate, which is one of USB's.
  private static func rate(_ text: String) -> Double? {
    let plain = text.replacingOccurrences(of: "_per_", with: "/").replacingOccurrences(of: "_", with: " ")
    return Quantity.bitRate(plain) ?? Quantity.bitRate(within: plain).flatMap { speeds.values.contains($0) ? $0 : nil }
  }

  private static let speeds = [
    "low_speed": 1.5e6, "full_speed": 12e6, "high_speed": 480e6, "super_speed": 5e9,
    "super_speed_plus": 10e9, "super_speed_plus_by2": 20e9,
  ]

  /// The device with that disk: by disk name if the tool prints it, otherwise by model, which
  /// several devices may share.
  package func chains(disk: String?, model: String?) -> [Chain] {
    let all = buses.flatMap { bus in bus.devices.flatMap { Self.chains($0, via: []) } }
    if let disk, let found = all.first(where: { $0.device.disks.contains(disk) }) { return [found] }
    guard let model = model.map(LabelledText.plain), !model.isEmpty else { return [] }
    return all.filter { $0.device.disks.isEmpty && $0.device.isCalled(model) }
  }

  private static func chains(_ device: Device, via: [Device]) -> [Chain] {
    [Chain(device: device, via: via)] + device.devices.flatMap { chains($0, via: via + [device]) }
  }
}

extension USBTree.Device {
  /// Whether diskutil's model is this device's name, with or without its vendor before it, which
  /// may be abbreviated ("WD" for "Western Digital"). A short name could end many models.
  fileprivate func isCalled(_ model: String) -> Bool {
    guard let name = name.map(LabelledText.plain), !name.isEmpty else { return false }
    let full = LabelledText.plain(vendor ?? "") + name
    return name == model || full == model || (name.count >= 8 && model.hasSuffix(name))
  }
}

extension USBTree {
  private static let media = Shape.each(.fields(["bsd_name": .device]))

  /// Keep device names, which are the manufacturer's; media and volumes have the owner's.
  package static let recorded = Shape.fields([
    "_name": .fact, "USBDeviceKeyVendorName": .maker, "manufacturer": .maker, "USBDeviceKeyLinkSpeed": .fact, "device_speed": .fact,
    "USBDeviceKeyUSB4Tunnel": .fact, "Media": media, "USBDeviceKeyMedia": media, "_items": .each(.same),
  ])
}

import Foundation

/// What storage a directory lies on, as macOS tells it.
struct MacTarget {
  let world: World
  let virtual: Bool

  func record(path: String, deviceKey: [UInt8]) -> TargetRecord {
    var target = TargetRecord(storage: .other, encryption: .unknown)
    guard let source = Self.source(world.run("df", ["-P", path], nil)?.text ?? "") else { return target }
    guard source.hasPrefix("/dev/") else {
      target.storage = .network
      return target
    }
    let volume = information(source)
    let disk = physicalDisk(of: volume) ?? volume
    let links = Self.links(MacFacts.profile("SPThunderboltDataType", world))
    (target.storage, target.linkSpeed) = storage(volume: volume, disk: disk, links: links)
    target.encryption = Self.encryption(volume, storage: target.storage)
    target.fileSystem = documentText(volume["FilesystemType"] as? String)
    target.device = documentText(disk["MediaName"] as? String)
    let identifier = disk["DeviceIdentifier"] as? String
    let serial = MacFacts.profile("SPNVMeDataType", world)
      .flatMap { $0["_items"] as? [[String: Any]] ?? [] }
      .first { $0["bsd_name"] as? String == identifier }?["device_serial"] as? String
    target.deviceID = serial.flatMap { DeviceIdentifier.make(serial: $0, key: deviceKey) }
    return target
  }

  /// The first field of df's second line.
  static func source(_ text: String) -> String? {
    text.split(separator: "\n").dropFirst().first?.split(separator: " ").first.map(String.init)
  }

  private func information(_ device: String) -> [String: Any] {
    guard let answer = world.run("diskutil", ["info", "-plist", device], nil) else { return [:] }
    return Self.plist(answer.output)
  }

  static func plist(_ data: Data) -> [String: Any] {
    let parsed = try? PropertyListSerialization.propertyList(from: data, format: nil)
    return parsed as? [String: Any] ?? [:]
  }

  /// From an APFS volume over its container to the disk that holds it.
  private func physicalDisk(of volume: [String: Any]) -> [String: Any]? {
    let container = (volume["APFSContainerReference"] as? String).map(information)
    let stores = (container ?? volume)["APFSPhysicalStores"] as? [[String: Any]]
    let part = stores?.first?["APFSPhysicalStore"] as? String
    guard let whole = (part.map(information) ?? volume)["ParentWholeDisk"] as? String else { return nil }
    return information(whole)
  }

  /// External NVMe is "PCI-Express" like some internal drives: where the device sits decides, and
  /// the link's mode says which of the protocols it speaks.
  private func storage(
    volume: [String: Any], disk: [String: Any], links: [(storage: Storage, speed: Double?)]
  ) -> (Storage, Double?) {
    let bus = disk["BusProtocol"] as? String ?? volume["BusProtocol"] as? String
    switch bus {
    case "Disk Image", "Virtual Interface": return (virtual ? .virtualDisk : .diskImage, nil)
    case "Secure Digital": return (.sdCard, nil)
    case "USB": return (.usb3, nil)
    default: break
    }
    if virtual { return (.virtualDisk, nil) }
    guard let inside = disk["Internal"] as? Bool ?? volume["Internal"] as? Bool else { return (.other, nil) }
    if inside { return (.internal, nil) }
    // With several kinds of links in use it is not known here which one this disk hangs on.
    guard let first = links.first, links.allSatisfy({ $0.storage == first.storage }) else {
      return (.other, nil)
    }
    return (first.storage, links.allSatisfy { $0.speed == first.speed } ? first.speed : nil)
  }

  /// Apple silicon always encrypts its internal storage: FileVault off there is `hardware`.
  static func encryption(_ volume: [String: Any], storage: Storage) -> Encryption {
    let encrypted = volume["Encryption"] as? Bool ?? false
    let fileVault = volume["FileVault"] as? Bool ?? false
    switch storage {
    case .internal: return fileVault ? .fileVault : .hardware
    case .virtualDisk: return fileVault ? .fileVault : .unencrypted
    case .diskImage: return .unknown
    default: return encrypted || fileVault ? .apfsEncrypted : .unencrypted
    }
  }

  /// The links in use, from the devices attached to the Thunderbolt buses.
  static func links(_ buses: [[String: Any]]) -> [(storage: Storage, speed: Double?)] {
    buses.flatMap { $0["_items"] as? [[String: Any]] ?? [] }.compactMap { device in
      guard let mode = device["mode_key"] as? String, let storage = modes[mode] else { return nil }
      let upstream = device["receptacle_upstream_ambiguous_tag"] as? [String: Any]
      return (storage, (upstream?["current_speed_key"] as? String).flatMap(bitsPerSecond))
    }
  }

  private static let modes: [String: Storage] = [
    "thunderbolt_three": .thunderbolt3, "thunderbolt_four": .thunderbolt4, "usb_four": .usb4,
    "usb_four_v2": .thunderbolt5, "thunderbolt_five": .thunderbolt5,
  ]

  /// "40 Gb/s" is a link's rate; "Up to 120 Gb/s" is not.
  static func bitsPerSecond(_ text: String) -> Double? {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1] == "Gb/s" else { return nil }
    return Double(words[0]).map { $0 * 1e9 }
  }
}

import Base
import Document
import Formats
import Foundation

/// One disk, partition or volume, from `diskutil info`. Devices are named as under /dev
/// ("disk3s5"); names, mount points and UUIDs of volumes are never kept.
package struct DiskInformation: Codable, Equatable, Sendable {
  package var device: String?
  /// The disk that contains this; for an APFS volume, its container's.
  package var wholeDisk: String?
  /// The APFS container: the link from a volume, or the snapshot mounted at `/`, to physical disks.
  package var container: String?
  /// The partitions of the APFS container or CoreStorage volume.
  package var physicalStores: [String]?
  /// The connection in the tool's words: "Apple Fabric", "PCI-Express", "USB", "Disk Image".
  package var connection: String?
  /// Whether it is internal, which the connection doesn't show (both can be PCI-Express).
  package var isInternal: Bool?
  package var isSolidState: Bool?
  package var isRemovable: Bool?
  /// A disk synthesised by macOS, such as an APFS container's.
  package var isSynthesized: Bool?
  package var isFusion: Bool?
  /// A set built from other disks by macOS's own RAID.
  package var isRAID: Bool?
  /// The device's own model name.
  package var model: String?
  package var fileSystem: String?
  package var capacityBytes: Int?
  package var freeBytes: Int?
  /// Encryption of the volume. On Apple silicon nothing is printed while FileVault is off.
  package var isEncrypted: Bool?
  package var hasFileVault: Bool?
  /// Whether the Mac's own hardware always encrypts this device's data.
  package var hasHardwareEncryption: Bool?
  /// Whether the disk's registry path goes through Thunderbolt; nil if no path is printed.
  package var isOnThunderbolt: Bool?
  /// The number of the Thunderbolt port that the disk is attached to.
  package var thunderboltBus: Int?

  /// nil if the tool reports an error or no disk.
  package static func read(_ data: Data) -> DiskInformation? {
    if let value = ToolValue(data) { return read(value) }
    return read(text: String(decoding: data, as: UTF8.self))
  }

  static func read(_ value: ToolValue) -> DiskInformation? {
    guard value["Error"]?.boolean != true else { return nil }
    var disk = DiskInformation()
    disk.device = DeviceName.read(value["DeviceIdentifier"]?.text ?? value["DeviceNode"]?.text)
    guard disk.device != nil else { return nil }
    disk.wholeDisk = DeviceName.read(value["ParentWholeDisk"]?.text)
    disk.container = DeviceName.read(value["APFSContainerReference"]?.text)
    disk.physicalStores = stores(value)
    disk.connection = value["BusProtocol"]?.text
    disk.isInternal = value["Internal"]?.boolean ?? value["DeviceLocation"]?.text.flatMap(isInternal)
    disk.isFusion = value["Fusion"]?.boolean ?? value["CoreStorageCompositeDisk"]?.boolean
    disk.isSolidState = value["SolidState"]?.boolean
    disk.isRemovable = value["RemovableMedia"]?.boolean ?? value["Removable"]?.boolean
    disk.isSynthesized = value["VirtualOrPhysical"]?.text.flatMap(isSynthesized)
    if value["RAIDMaster"]?.boolean == true || value.entries.keys.contains(where: { $0.hasPrefix("RAIDSet") }) { disk.isRAID = true }
    disk.model = disk.model(value["MediaName"]?.text, besides: value["VolumeName"]?.text)
    disk.fileSystem = value["FilesystemType"]?.text?.lowercased()
    disk.capacityBytes = first(["APFSContainerSize", "VolumeSize", "TotalSize", "Size", "IOKitSize"], value)
    disk.freeBytes = first(["APFSContainerFree", "FreeSpace"], value)
    disk.isEncrypted = value["Encryption"]?.boolean ?? value["CoreStorageEncrypted"]?.boolean
    disk.hasFileVault = value["FileVault"]?.boolean
    disk.hasHardwareEncryption = value["AESHardware"]?.boolean
    disk.isOnThunderbolt = value["DeviceTreePath"]?.text.map(isOnThunderbolt)
    disk.thunderboltBus = value["DeviceTreePath"]?.text.flatMap(thunderboltBus)
    return disk.withoutFusionsClaim()
  }

  private static func stores(_ value: ToolValue) -> [String]? {
    let apfs = value["APFSPhysicalStores"]?.items.compactMap { store in
      DeviceName.read(store["APFSPhysicalStore"]?.text ?? store["DeviceIdentifier"]?.text)
    }
    let coreStorage = value["CoreStoragePVs"]?.items.compactMap { DeviceName.read($0["CoreStoragePVDisk"]?.text) }
    let stores = apfs ?? coreStorage ?? []
    return stores.isEmpty ? nil : stores
  }

  /// Parse the port's number. Each Thunderbolt port of Apple silicon is its own PCI Express
  /// controller: "IODeviceTree:/arm-io@10F00000/apciec1@30000000/…".
  static func thunderboltBus(_ path: String) -> Int? {
    nodes(path).lazy.filter { $0.hasPrefix("apciec") }.compactMap { Int($0.dropFirst("apciec".count)) }.first
  }

  /// Whether a registry path goes through Thunderbolt. On Intel a Thunderbolt controller is a
  /// switch, "UPSB", and so is each device on it, "UPS0"; inside the processor it is "TRP0". A slot
  /// of a Mac Pro has neither: "IODeviceTree:/PC01@0/BR1A@0/SL05@0".
  static func isOnThunderbolt(_ path: String) -> Bool {
    nodes(path).contains { $0.hasPrefix("apciec") || ($0.count == 4 && ["UPS", "TRP"].contains($0.prefix(3))) }
  }

  private static func nodes(_ path: String) -> [Substring] {
    path.split(separator: "/").compactMap { $0.split(separator: "@").first }
  }

  /// The first known size. diskutil prints 0 for some sizes of APFS volumes that it doesn't know.
  private static func first(_ keys: [String], _ value: ToolValue) -> Int? {
    keys.lazy.compactMap { value[$0]?.bytes }.first { $0 > 0 }
  }

  private static func isSynthesized(_ text: String) -> Bool? {
    switch text {
    case "Virtual": true
    case "Physical": false
    default: nil
    }
  }

  /// The manufacturer's model. "APPLE SSD AP1024Z Media" is the medium in that device; APFS's own
  /// media have no model. Only physical devices are named by manufacturers: users name partitions,
  /// RAID sets, pools and images.
  private func model(_ name: String?, besides volume: String?) -> String? {
    guard let name = documentText(name), name != volume, isHardware || Self.isApples(name) else { return nil }
    return Self.model(name)
  }

  static func model(_ name: String?) -> String? {
    guard var name = documentText(name) else { return nil }
    if name.hasSuffix(" Media") { name.removeLast(" Media".count) }
    return name.hasPrefix("AppleAPFSMedia") ? nil : documentText(name)
  }

  private static func isApples(_ name: String) -> Bool {
    ["APPLE SSD ", "APPLE HDD "].contains { name.hasPrefix($0) }
  }

  /// Whether this is a physical device: a whole disk on a link that only devices have.
  private var isHardware: Bool {
    isWhole && isRAID != true && isSynthesized != true && Self.isOfHardware(connection)
  }

  /// Whether only physical devices use this connection. Fibre Channel, iSCSI or SCSI storage may
  /// belong to a server or a RAID controller and have a name given by its owner.
  static func isOfHardware(_ connection: String?) -> Bool {
    guard let connection = connection?.lowercased() else { return false }
    return hardware.contains(connection) || connection.contains("secure digital")
  }

  private static let hardware: Set<String> = [
    "apple fabric", "pci-express", "pci", "nvme", "sata", "ata", "atapi", "usb", "firewire", "thunderbolt",
  ]

  private var isWhole: Bool { device.map { $0 == DeviceName.whole($0) } ?? false }

  /// Drop a Fusion Drive's claim to be solid state: it is a hard disk behind a small SSD.
  private func withoutFusionsClaim() -> DiskInformation {
    var disk = self
    if isFusion == true { disk.isSolidState = nil }
    return disk
  }
}

extension DiskInformation {
  private static func read(text: String) -> DiskInformation? {
    let lines = LabelledText(text)
    var disk = DiskInformation()
    disk.device = DeviceName.read(lines["Device Identifier"] ?? lines["Device Node"])
    // Excerpts lack the identifier; a location or a connection is printed only for a disk.
    guard disk.device != nil || lines["Protocol"] != nil || lines["Device Location"] != nil else { return nil }
    disk.wholeDisk = DeviceName.read(lines["Part of Whole"])
    disk.container = DeviceName.read(lines["APFS Container"])
    let stores = lines.all("APFS Physical Store").compactMap(DeviceName.read)
    disk.physicalStores = stores.isEmpty ? nil : stores
    disk.connection = documentText(lines["Protocol"])
    disk.isInternal = lines["Device Location"].flatMap(isInternal) ?? lines["Internal"].flatMap(YesNo.read)
    disk.isFusion = lines["Fusion Drive"].flatMap(YesNo.read)
    disk.isSolidState = lines["Solid State"].flatMap(YesNo.read)
    disk.isRemovable = lines["Removable Media"].flatMap(isRemovable)
    disk.isSynthesized = lines["Virtual"].flatMap(YesNo.read)
    if lines["Set Name"] != nil || lines["RAID Set UUID"] != nil || text.contains("is a RAID Set") { disk.isRAID = true }
    // The text mentions a RAID set last, and may be cut off: only Apple's names are safe here.
    disk.model = lines["Device / Media Name"].flatMap { isApples($0) ? model($0) : nil }
    disk.fileSystem = documentText((lines["Type (Bundle)"] ?? lines["Type Bundle"])?.lowercased())
    disk.capacityBytes = size(["Container Total Space", "Volume Total Space", "Disk Size", "Total Size"], lines)
    disk.freeBytes = size(["Container Free Space", "Volume Free Space", "Volume Available Space"], lines)
    disk.isEncrypted = lines["Encrypted"].flatMap(YesNo.read)
    disk.hasFileVault = lines["FileVault"].flatMap(YesNo.read)
    disk.hasHardwareEncryption = lines["Hardware AES Support"].flatMap(YesNo.read)
    return disk.withoutFusionsClaim()
  }

  private static func size(_ labels: [String], _ lines: LabelledText) -> Int? {
    labels.lazy.compactMap { lines[$0].flatMap(Quantity.bytesInBrackets) }.first { $0 > 0 }
  }

  private static func isInternal(_ text: String) -> Bool? {
    switch text.split(separator: " ").first {
    case "Internal": true
    case "External": false
    default: nil
    }
  }

  private static func isRemovable(_ text: String) -> Bool? {
    switch text {
    case "Fixed": false
    case "Removable": true
    default: YesNo.read(text)
    }
  }
}

/// The name of a disk or partition under /dev.
package enum DeviceName {
  /// Parse "disk3s1s1", "/dev/disk3s1s1" or "/dev/rdisk3s1s1" as "disk3s1s1"; nil for anything
  /// else.
  package static func read(_ text: String?) -> String? {
    guard var name = text.map(trimmed)?[...] else { return nil }
    if name.hasPrefix("/dev/") { name = name.dropFirst(5) }
    if name.hasPrefix("rdisk") { name = name.dropFirst() }
    guard name.hasPrefix("disk"), name.count <= 32 else { return nil }
    let rest = name.dropFirst(4)
    let parts = rest.split(separator: "s", omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } } ? String(name) : nil
  }

  /// The disk of a mounted file system, as named by `df`: a device, a snapshot of one
  /// ("NAME@/dev/disk3s5"), or the address of a user-space file system ("exfat://disk4s1/NAME").
  package static func mounted(_ source: String) -> String? {
    if let device = read(source) { return device }
    if let place = source.range(of: "@/dev/", options: .backwards) { return read(String(source[place.lowerBound...].dropFirst())) }
    guard let place = source.range(of: "://") else { return nil }
    return read(source[place.upperBound...].split(separator: "/", omittingEmptySubsequences: false).first.map(String.init))
  }

  /// The whole disk of "disk3s1s1": "disk3".
  package static func whole(_ device: String) -> String {
    "disk" + device.dropFirst(4).prefix { $0.isNumber }
  }
}

extension DiskInformation {
  /// Keep a medium's name only if it is the model; a partition's name is the user's.
  package static let recorded = Recorded(
    shape: .either { value in
      let model = read(value)?.model
      return .fields { key in
        switch key {
        case "DeviceIdentifier", "DeviceNode", "ParentWholeDisk", "APFSContainerReference": .device
        case "APFSPhysicalStores": .each(.fields(["APFSPhysicalStore": .device, "DeviceIdentifier": .device]))
        case "CoreStoragePVs": .each(.fields(["CoreStoragePVDisk": .device]))
        case "MediaName": model == nil ? .nothing : .fact
        case "VolumeName": .nothing
        case "DeviceTreePath": .text(shortPath)
        default: facts.contains(key) ? .fact : nil
        }
      }
    },
    line: Recorded.labels { label, value, answer, names in
      switch label {
      case "Device Identifier", "Device Node", "Part of Whole", "APFS Container", "APFS Physical Store":
        return DeviceName.read(value) == nil ? nil : value
      case "Volume Name", "Set Name", "RAID Set UUID": return names.name(value)
      case "Device / Media Name": return read(Data(answer.utf8))?.model == nil ? names.name(value) : value
      default: return labels(label, value)
      }
    })

  private static func shortPath(_ path: String) -> String {
    let socket = thunderboltBus(path).map { "apciec\($0)@0" }
    return "IODeviceTree:/" + (socket ?? (isOnThunderbolt(path) ? "UPSB@0" : ""))
  }

  private static let facts: Set<String> = [
    "Error", "BusProtocol", "Internal", "DeviceLocation", "Fusion", "CoreStorageCompositeDisk", "SolidState", "RemovableMedia",
    "Removable", "VirtualOrPhysical", "RAIDMaster", "FilesystemType", "APFSContainerSize", "VolumeSize", "TotalSize", "Size",
    "IOKitSize", "APFSContainerFree", "FreeSpace", "Encryption", "CoreStorageEncrypted", "FileVault", "AESHardware",
  ]
  private static let labels = Recorded.facts([
    "Protocol", "Device Location", "Internal", "Fusion Drive", "Solid State", "Removable Media", "Virtual", "Type (Bundle)",
    "Type Bundle", "Container Total Space", "Volume Total Space", "Disk Size", "Total Size", "Container Free Space",
    "Volume Free Space", "Volume Available Space", "Encrypted", "FileVault", "Hardware AES Support",
  ])
}

import Document
import Formats
import Foundation

extension MacStorage {
  /// Determine the kind of storage, its link and device. Only the location distinguishes internal
  /// from external: both can be PCI-Express.
  func locate(_ volume: DiskInformation, on layer: Layer, into target: inout TargetRecord) {
    switch layer {
    case .software(let reason): target.doubt = reason
    case .fusion(let isInternal):
      if isInternal == true { target.storage = .fusionDrive } else { target.doubt = "this Fusion Drive is external" }
    case .device, .undescribed:
      let disk = layer.disk
      let drive = drive(disk)
      target.device = makers((disk ?? volume).model ?? drive?.model)
      target.deviceID = drive?.identifier
      locate(volume, disk, drive, into: &target)
    }
  }

  private func locate(
    _ volume: DiskInformation, _ disk: DiskInformation?, _ drive: DriveProfile.Drive?, into target: inout TargetRecord
  ) {
    let connection = (disk?.connection ?? volume.connection)?.lowercased() ?? ""
    let isInternal = disk?.isInternal ?? volume.isInternal
    if connection.contains("secure digital") {
      target.storage = .sdCard
    } else if isVirtual {
      // A guest's USB is whatever its host provides: a drive's real link, or none. Its disks are
      // named after the virtual machine, unless Apple's framework provides them.
      if connection != "usb" { target.storage = .virtualDisk }
      target.device = target.device.flatMap { Self.isFrameworks($0) ? $0 : nil }
    } else if connection == "usb" {
      takeUSB(disk ?? volume, isInternal: isInternal == true, into: &target)
    } else if connection == "apple fabric", isInternal == false {
      target.doubt = "diskutil calls this disk external, but on Apple Fabric, which is internal"
    } else if connection == "apple fabric" || isInternal == true {
      takeInternal(volume, disk, drive, connection, into: &target)
    } else if isInternal == false, ["pci-express", "pci", "sata", "nvme", "thunderbolt"].contains(connection) {
      if let disk { takeThunderbolt(disk, into: &target) } else { target.doubt = "no tool describes the drive that holds the volume" }
    }
  }

  /// Whether the name is the one that Apple's framework gives to all of a guest's disks.
  package static func isFrameworks(_ name: String) -> Bool { name.hasPrefix("Apple Inc. VirtIO") }

  /// Determine SSD or hard disk: Macs have had both inside. All tools that say must agree.
  private func takeInternal(
    _ volume: DiskInformation, _ disk: DiskInformation?, _ drive: DriveProfile.Drive?, _ connection: String,
    into target: inout TargetRecord
  ) {
    var said = Set([(disk ?? volume).isSolidState, drive?.isSolidState].compactMap { $0 })
    if connection == "apple fabric" {
      said.insert(true)
    } else if said.isEmpty, let listed = volumeProfile()?.volumes.first(where: { $0.device == volume.device })?.isSolidState {
      said.insert(listed)
    }
    // There are no such hard disks.
    if said.isEmpty, ["pci-express", "pci", "nvme"].contains(connection) { said.insert(true) }
    switch said {
    case [true]: target.storage = .internal
    case [false]: target.storage = .internalHardDisk
    case []: target.doubt = "no tool says whether this internal disk is an SSD or a hard disk"
    default: target.doubt = "this internal disk is an SSD according to one tool and a hard disk according to another"
    }
  }

  private func thunderbolt() -> ThunderboltTree? {
    run(["system_profiler", "-json", "SPThunderboltDataType"]).flatMap(ThunderboltTree.read)
  }

  /// Take only what all devices that may hold the drive have in common.
  private func takeThunderbolt(_ disk: DiskInformation, into target: inout TargetRecord) {
    guard disk.isOnThunderbolt ?? !hasSlots else {
      target.doubt = disk.isOnThunderbolt == nil
        ? "this Mac has PCI Express slots, and no tool says whether the drive is in one" : "the drive is in a PCI Express slot"
      return
    }
    guard let tree = thunderbolt() else {
      target.doubt = "the system does not list its Thunderbolt devices"
      return
    }
    let places = DrivePlaces(of: disk, added: addedDrives(), in: tree) {
      run(["system_profiler", "-json", "SPDisplaysDataType"]).map(DisplayNames.read) ?? []
    }
    guard !takeCard(disk, in: places.chains.count == 1 ? places.chains.compactMap(\.device.name) : [], isInternal: false, into: &target) else { return }
    target.doubt = places.doubt(calling: makers)
    guard target.doubt == nil, let first = places.chains.first, let storage = first.device.storage else { return }
    target.storage = storage
    if places.chains.allSatisfy({ $0.device.linkSpeed == first.device.linkSpeed }) {
      target.linkSpeed = first.device.linkSpeed
    }
    guard places.chains.count == 1 else { return }
    target.via = Self.names(first.via.map { makers($0.name) })
    target.enclosure = Self.enclosure(makers(first.device.name), of: target)
  }

  /// A device's name, unless its owner gave it.
  private func makers(_ name: String?) -> String? {
    name.flatMap { StandIns.isStandIn($0) || OwnersName.isIn($0, privateNames: privateNames) ? nil : $0 }
  }

  /// Number of NVMe drives that aren't Apple's own.
  private func addedDrives() -> Int {
    let drives = run(["system_profiler", "-json", "SPNVMeDataType"]).flatMap { DriveProfile.read($0) }?.drives ?? []
    return drives.filter { $0.model?.hasPrefix("APPLE ") == false }.count
  }

  /// Determine a USB device. From 5 Gb/s on it is USB 3; slower and unknown links have no kind
  /// here. A card in a card reader has its own link.
  private func takeUSB(_ disk: DiskInformation, isInternal: Bool, into target: inout TargetRecord) {
    // Query one by one: a system may not know both types, or one may list only its own ports.
    let whole = disk.device.map(DeviceName.whole)
    let found = ["SPUSBHostDataType", "SPUSBDataType"].lazy.compactMap {
      run(["system_profiler", "-json", $0]).flatMap(USBTree.read)?.chains(disk: whole, model: disk.model)
    }.first { !$0.isEmpty }
    guard !takeCard(disk, in: (found ?? []).compactMap(\.device.name), isInternal: isInternal, into: &target) else { return }
    guard !isInternal else {
      target.doubt = "this is a built-in USB device of unknown kind"
      return
    }
    guard let chains = found, let first = chains.first else {
      target.doubt = "the system does not list this USB device, so its link is unknown"
      return
    }
    // Take only what indistinguishable drives of one model have in common.
    guard chains.allSatisfy({ $0.device.linkSpeed == first.device.linkSpeed }) else {
      target.doubt = "\(chains.count) USB devices are called \(makers(disk.model) ?? "the same"), on links of different speed"
      return
    }
    target.linkSpeed = first.device.linkSpeed
    if let speed = first.device.linkSpeed, speed >= 5e9 { target.storage = .usb3 }
    target.device = target.device ?? makers(first.device.name)
    guard chains.count == 1 else { return }
    target.via = Self.names(first.via.map { makers($0.name) })
    target.enclosure = Self.enclosure(makers(first.device.name), of: target)
    // The hubs inside a Thunderbolt dock count as the dock, if it is the only one.
    if first.device.isTunnelled == true, let docks = thunderbolt()?.all, docks.count == 1 {
      target.via = Self.names([makers(docks[0].device.name)])
    }
  }

  /// Whether the disk is in a card reader, which then determines the storage.
  private func takeCard(_ disk: DiskInformation, in devices: [String], isInternal: Bool, into target: inout TargetRecord) -> Bool {
    switch CardReader(medium: disk.model, devices: devices, isInternal: isInternal) {
    case .forSD: target.storage = .sdCard
    case .forOthers: target.doubt = "this card reader does not say which card is in it"
    case nil: return false
    }
    return true
  }

  /// The enclosure's name, if it differs from the drive's.
  private static func enclosure(_ name: String?, of target: TargetRecord) -> String? {
    guard let name, let drive = target.device else { return nil }
    let (own, other) = (LabelledText.plain(name), LabelledText.plain(drive))
    return own.hasSuffix(other) || other.hasSuffix(own) ? nil : documentText(name)
  }

  /// "direct" if nothing is known to be in between; nil if something in between has no name.
  private static func names(_ names: [String?]) -> String? {
    guard !names.isEmpty else { return "direct" }
    let known = names.compactMap { $0 }
    return known.count == names.count ? documentText(known.joined(separator: " > ")) : nil
  }

  /// The profiler's entry for a drive on PCI Express or SATA.
  private func drive(_ disk: DiskInformation?) -> DriveProfile.Drive? {
    guard let disk, disk.connection?.lowercased() != "usb" else { return nil }
    return ["SPNVMeDataType", "SPSerialATADataType"].lazy.compactMap { type in
      run(["system_profiler", "-json", type])
        .flatMap { DriveProfile.read($0) { DeviceIdentifier.make(serial: $0, key: deviceKey) } }?
        .drive(disk: disk.device, model: disk.model)
    }.first
  }
}

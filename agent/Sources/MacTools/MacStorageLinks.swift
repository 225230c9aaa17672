import Document
import Formats
import Foundation

extension MacStorage {
  /// Which kind of storage, over which link, and which device. Where it sits decides between internal
  /// and external: both can be PCI-Express.
  func locate(_ volume: DiskInformation, _ disk: DiskInformation?, into target: inout TargetRecord) {
    let connection = (disk?.connection ?? volume.connection)?.lowercased() ?? ""
    // Disks that software makes up are called as somebody calls them.
    target.device = connection == "virtual interface" && !isVirtual ? nil : disk?.model
    if connection.contains("secure digital") {
      target.storage = .sdCard
    } else if isVirtual {
      // A guest's USB is what its host makes of it: a drive's real link, or none at all.
      if connection != "usb" { target.storage = .virtualDisk }
    } else if connection == "usb" {
      takeUSB(disk ?? volume, into: &target)
    } else if connection == "apple fabric" {
      target.storage = .internal
    } else if let isInternal = disk?.isInternal ?? volume.isInternal {
      if isInternal {
        target.storage = .internal
      } else if ["pci-express", "pci", "sata", "nvme", "thunderbolt"].contains(connection) {
        takeThunderbolt(disk, into: &target)
      }
    }
    takeDrive(disk, into: &target)
  }

  private func thunderbolt() -> ThunderboltTree? {
    run(["system_profiler", "-json", "SPThunderboltDataType"]).flatMap(ThunderboltTree.read)
  }

  /// Of several devices that the drive can be in, only what all have in common is known.
  private func takeThunderbolt(_ disk: DiskInformation?, into target: inout TargetRecord) {
    guard let tree = thunderbolt() else { return }
    let places = DrivePlaces(of: disk, added: addedDrives(), in: tree) {
      run(["system_profiler", "-json", "SPDisplaysDataType"]).map(DisplayNames.read) ?? []
    }
    target.doubt = places.doubt
    guard target.doubt == nil, let first = places.chains.first, let storage = first.device.storage else { return }
    target.storage = storage
    if places.chains.allSatisfy({ $0.device.linkSpeed == first.device.linkSpeed }) {
      target.linkSpeed = first.device.linkSpeed
    }
    guard places.chains.count == 1 else { return }
    target.via = Self.names(first.via.map(\.name))
    target.enclosure = Self.enclosure(first.device.name, of: target)
  }

  /// The NVMe drives that are not Apple's own.
  private func addedDrives() -> Int {
    let drives = run(["system_profiler", "-json", "SPNVMeDataType"]).flatMap { DriveProfile.read($0) }?.drives ?? []
    return drives.filter { $0.model?.hasPrefix("APPLE ") == false }.count
  }

  /// USB from 5 Gb/s on is USB 3; slower links, and links nothing is known of, have no kind here.
  private func takeUSB(_ disk: DiskInformation, into target: inout TargetRecord) {
    // Asked for one by one: a system may not know both, or list no more than its own sockets in one.
    let whole = disk.device.map(DeviceName.whole)
    let found = ["SPUSBHostDataType", "SPUSBDataType"].lazy.compactMap {
      run(["system_profiler", "-json", $0]).flatMap(USBTree.read)?.chains(disk: whole, model: disk.model)
    }.first { !$0.isEmpty }
    guard let chains = found, let first = chains.first else { return }
    // Of drives of one model that nothing tells apart, only what all have in common is known.
    guard chains.allSatisfy({ $0.device.linkSpeed == first.device.linkSpeed }) else {
      target.doubt = "\(chains.count) USB devices are called \(disk.model ?? "the same"), on links of different speed"
      return
    }
    target.linkSpeed = first.device.linkSpeed
    if let speed = first.device.linkSpeed, speed >= 5e9 { target.storage = .usb3 }
    target.device = target.device ?? first.device.name
    guard chains.count == 1 else { return }
    target.via = Self.names(first.via.map(\.name))
    target.enclosure = Self.enclosure(first.device.name, of: target)
    // The hubs inside a Thunderbolt dock are the dock, where there is no other one.
    if first.device.isTunnelled == true, let docks = thunderbolt()?.all, docks.count == 1 {
      target.via = Self.names([docks[0].device.name])
    }
  }

  /// What the link leads to, where that is called otherwise than the drive in it.
  private static func enclosure(_ name: String?, of target: TargetRecord) -> String? {
    guard let name, let drive = target.device else { return nil }
    let (own, other) = (LabelledText.plain(name), LabelledText.plain(drive))
    return own.hasSuffix(other) || other.hasSuffix(own) ? nil : documentText(name)
  }

  /// "direct" where it is known that nothing is between; nil where what does has no name.
  private static func names(_ names: [String?]) -> String? {
    guard !names.isEmpty else { return "direct" }
    let known = names.compactMap { $0 }
    return known.count == names.count ? documentText(known.joined(separator: " > ")) : nil
  }

  private func takeDrive(_ disk: DiskInformation?, into target: inout TargetRecord) {
    guard let disk, disk.connection?.lowercased() != "usb" else { return }
    let key = deviceKey
    let drive = ["SPNVMeDataType", "SPSerialATADataType"].lazy.compactMap { type in
      run(["system_profiler", "-json", type])
        .flatMap { DriveProfile.read($0) { DeviceIdentifier.make(serial: $0, key: key) } }?
        .drive(disk: disk.device, model: disk.model)
    }.first
    target.deviceID = drive?.identifier
    target.device = target.device ?? drive?.model
  }
}

import Base
import Document
import Formats
import Foundation

/// The storage that a path is on, from the Mac's tools.
package struct MacStorage {
  package let run: MacToolRunner
  let isVirtual: Bool
  /// Whether drives may be on PCI Express without Thunderbolt.
  let hasSlots: Bool
  let deviceKey: [UInt8]
  /// Names of this Mac and its user, never a manufacturer's.
  let privateNames: [String]

  /// - Parameters:
  ///   - isVirtual: whether this is a virtual machine, whose disks are files of its host.
  ///   - deviceKey: the agent's own key, used to derive an identifier from a drive's serial number.
  ///   - privateNames: names of this Mac and its user, which never become facts.
  package static func read(
    _ path: String, isVirtual: Bool, deviceKey: [UInt8] = [], privateNames: [String] = [],
    _ run: @escaping MacToolRunner
  ) -> TargetRecord {
    MacStorage(run, isVirtual: isVirtual, deviceKey: deviceKey, privateNames: privateNames).target(path, depth: 0)
  }

  /// - Parameter model: the Mac's, which shows whether it has slots.
  package init(
    _ run: @escaping MacToolRunner, isVirtual: Bool, model: String? = nil, deviceKey: [UInt8], privateNames: [String]
  ) {
    self.run = run
    self.isVirtual = isVirtual
    self.hasSlots = MacModel.hasSlots(model)
    self.deviceKey = deviceKey
    self.privateNames = privateNames
  }

  package func target(_ path: String, depth: Int) -> TargetRecord {
    var target = TargetRecord(storage: .other, encryption: .unknown)
    let source = MountedSource.read(path, run)
    guard case .device(let device) = source?.kind else {
      if source?.kind == .network { target.storage = .network } else { target.doubt = Self.doubt(source) }
      return target
    }
    guard let volume = information(device) else {
      target.doubt = "diskutil does not describe \(device)"
      return target
    }
    let layer = layer(beneath: volume)
    target.fileSystem = volume.fileSystem
    target.capacityBytes = volume.capacityBytes
    target.freeBytes = volume.freeBytes
    switch image(device, volume, layer.disk) {
    case .attached(let image, let path): describe(image, path: path, volume, depth: depth, into: &target)
    case .doubtful(let reason): target.doubt = reason
    case .none:
      let isMadeUp = layer.disk?.isSynthesized == true && !isVirtual
      let layer = isMadeUp ? .software("this disk is made by software that does not say what is beneath it") : layer
      locate(volume, on: layer, into: &target)
      // A server's disk, or one that no tool describes, may be encrypted underneath.
      let isDevice = isVirtual || DiskInformation.isOfHardware((layer.disk ?? volume).connection)
      let isSeen = !layer.isSoftware && isDevice && (layer != .undescribed || target.doubt == nil)
      target.encryption = encryption(volume, on: layer, isExtra: source?.isExtra == true, isSeen: isSeen)
    }
    return target
  }

  /// The device of a path's volume, as under /dev; nil for a network volume.
  package static func device(of path: String, _ run: MacToolRunner) -> String? {
    MountedSource.source(path, run).flatMap(DeviceName.read)
  }

  private static func doubt(_ source: MountedSource?) -> String? {
    switch source?.kind {
    case nil: nil
    case .program: "a program on this Mac provides this file system, and what is beneath it is unknown"
    default: "no tool says whose storage is mounted here"
    }
  }

  package func text(_ command: [String]) -> String {
    run(command).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func information(_ device: String) -> DiskInformation? {
    run(["diskutil", "info", "-plist", device]).flatMap(DiskInformation.read)
      ?? run(["diskutil", "info", device]).flatMap(DiskInformation.read) ?? listed(device)
  }

  /// The profiler's information on a volume, for when diskutil fails.
  private func listed(_ device: String) -> DiskInformation? {
    guard let volume = volumeProfile()?.volumes.first(where: { $0.device == device }) else { return nil }
    return DiskInformation(
      device: device, wholeDisk: DeviceName.whole(device), connection: volume.connection,
      isInternal: volume.isInternal, isSolidState: volume.isSolidState, model: volume.model,
      capacityBytes: volume.capacityBytes, freeBytes: volume.freeBytes)
  }

  func volumeProfile() -> VolumeProfile? {
    run(["system_profiler", "-json", "SPStorageDataType"]).flatMap(VolumeProfile.read)
  }

  /// The storage below a volume, down to hardware or as far as the tools report.
  enum Layer: Equatable {
    case device(DiskInformation)
    /// A single disk that no tool describes.
    case undescribed
    /// An SSD and a hard disk combined.
    case fusion(isInternal: Bool?)
    /// Software such as RAID, and why the disks beneath are unknown.
    case software(String)

    var disk: DiskInformation? { if case .device(let disk) = self { disk } else { nil } }
    var isSoftware: Bool { if case .software = self { true } else { false } }
  }

  /// Follow a volume, or the snapshot mounted at `/`, through its APFS container or CoreStorage to
  /// its disk.
  private func layer(beneath volume: DiskInformation, depth: Int = 0) -> Layer {
    if let system = volume.fileSystem, ["zfs", "acfs"].contains(system) { return .software("\(system.uppercased()) does not say which disks it uses") }
    let stores = physicalStores(of: volume)
    let disks = Set((stores ?? volume.device.map { [$0] } ?? []).map(DeviceName.whole))
    if volume.isFusion == true { return .fusion(isInternal: volume.isInternal) }
    if volume.isRAID == true { return .software("this is a software RAID set") }
    guard disks.count < 2 else { return .software("the volume spans \(disks.count) disks") }
    guard let name = disks.first, let disk = name == volume.device && stores == nil ? volume : information(name),
      disk.device ?? name == name
    else { return .undescribed }
    if disk.physicalStores != nil || disk.isRAID == true || disk.isFusion == true, disk != volume, depth < 4 {
      return layer(beneath: disk, depth: depth + 1)
    }
    return .device(disk)
  }

  private func physicalStores(of volume: DiskInformation) -> [String]? {
    if let stores = volume.physicalStores { return stores }
    guard volume.fileSystem == "apfs" || volume.container != nil, let device = volume.device else { return nil }
    let container = volume.container ?? DeviceName.whole(device)
    return information(container)?.physicalStores
      ?? containers()?.container(holding: container)?.physicalStores
      ?? run(["diskutil", "list", "-plist"]).flatMap(DiskListing.read)?.physicalStores(ofContainer: container)
  }

  private func containers() -> ContainerListing? {
    run(["diskutil", "apfs", "list", "-plist"]).flatMap(ContainerListing.read)
  }
}

extension MacStorage {
  /// The volume's encryption. Apple silicon always encrypts its internal storage, as do Intel Macs
  /// with a T2: with FileVault off it is `hardware`. Otherwise unknown.
  private func encryption(_ volume: DiskInformation, on layer: Layer, isExtra: Bool, isSeen: Bool) -> Encryption {
    let listed = volume.hasFileVault == nil || volume.isEncrypted == nil
      ? volume.device.flatMap { device in containers()?.volume(device) } : nil
    let isEncrypted = volume.isEncrypted ?? listed?.isEncrypted
    let hasFileVault = volume.hasFileVault ?? listed?.hasFileVault
    guard isBuiltIn(volume, layer) else {
      if isEncrypted == true || hasFileVault == true {
        if isVirtual, hasFileVault == true { return .fileVault }
        return volume.fileSystem == "apfs" ? .apfsEncrypted : .unknown
      }
      guard isSeen else { return .unknown }
      // HFS+ itself can't encrypt, but a synthesised volume below it can.
      let cannotEncrypt = ["exfat", "msdos", "ntfs"].contains(volume.fileSystem)
        || (volume.fileSystem == "hfs" && volume.physicalStores == nil && volume.isSynthesized != true)
      return isEncrypted == false || hasFileVault == false || cannotEncrypt ? .unencrypted : .unknown
    }
    let known = hasFileVault ?? (isExtra ? nil : startupFileVault(volume))
    if known == true { return .fileVault }
    let isHardware = [volume.connection, layer.disk?.connection].contains("Apple Fabric") || volume.hasHardwareEncryption == true
    if isEncrypted == true, volume.fileSystem == "apfs" {
      // Encrypted, but not by FileVault: if the hardware always encrypts, that explains it.
      guard isHardware else { return .apfsEncrypted }
      return known == false ? .hardware : .unknown
    }
    // FileVault would report encryption; only if it is off does the hardware alone encrypt.
    if isHardware { return known == false || isEncrypted == false ? .hardware : .unknown }
    return isEncrypted == false && volume.hasHardwareEncryption == false ? .unencrypted : .unknown
  }

  /// Whether macOS starts from there, or could.
  private func isBuiltIn(_ volume: DiskInformation, _ layer: Layer) -> Bool {
    guard !isVirtual else { return false }
    switch layer {
    case .fusion(let isInternal): return isInternal == true
    case .software: return false
    case .device, .undescribed:
      let disk = layer.disk ?? volume
      let connection = disk.connection?.lowercased() ?? ""
      return connection == "apple fabric" || (disk.isInternal == true && connection != "usb" && !connection.contains("secure digital"))
    }
  }

  /// FileVault's state if the volume is in the startup container, the only one that fdesetup
  /// covers.
  private func startupFileVault(_ volume: DiskInformation) -> Bool? {
    guard let container = volume.container, information("/")?.container == container else { return nil }
    return FileVaultStatus.read(text(["fdesetup", "status"])).isOn
  }
}

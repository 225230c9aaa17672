import Base
import Document
import Formats
import Foundation

/// What storage a path on a Mac is on, gathered from the Mac's tools.
package struct MacStorage {
  package let run: MacToolRunner
  let isVirtual: Bool
  let deviceKey: [UInt8]

  /// - Parameters:
  ///   - isVirtual: whether this is a virtual machine, whose disks are files of its host.
  ///   - deviceKey: the agent's own key, under which a drive's serial number becomes an identifier.
  package static func read(
    _ path: String, isVirtual: Bool, deviceKey: [UInt8] = [], _ run: @escaping MacToolRunner
  ) -> TargetRecord {
    MacStorage(run: run, isVirtual: isVirtual, deviceKey: deviceKey).target(path, depth: 0)
  }

  package func target(_ path: String, depth: Int) -> TargetRecord {
    var target = TargetRecord(storage: .other, encryption: .unknown)
    let mounts = text(["df", "-P", path])
    guard let source = Self.source(mounts) else { return target }
    guard let device = DeviceName.mounted(source) else {
      let isRemote = source.hasPrefix("//") || source.contains(":/") || (source.contains("@") && source.hasSuffix(":"))
      target.storage = isRemote ? .network : .other
      return target
    }
    guard let volume = information(device) else { return target }
    let disk = physicalDisk(of: volume)
    target.fileSystem = volume.fileSystem
    target.capacityBytes = volume.capacityBytes
    target.freeBytes = volume.freeBytes
    if let image = imageParts(device, volume, disk) {
      describe(image, volume, depth: depth, into: &target)
    } else {
      locate(volume, disk, into: &target)
      target.encryption = encryption(volume, disk, storage: target.storage, isExtra: Self.isExtra(mounts))
    }
    return target
  }

  /// The volume that a path is on, as under /dev; nil on a network.
  package static func device(of path: String, _ run: MacToolRunner) -> String? {
    run(["df", "-P", path]).flatMap { source(String(decoding: $0, as: UTF8.self)) }.flatMap(DeviceName.read)
  }

  /// The first field of df's second line. A network's name may hold spaces; a device's does not.
  private static func source(_ text: String) -> String? {
    Lines.of(text).dropFirst().first?.split(separator: " ").first.map(String.init)
  }

  /// Whether it is mounted where no volume of the running system is.
  private static func isExtra(_ text: String) -> Bool {
    Lines.of(text).dropFirst().first?.components(separatedBy: "% ").last.map(trimmed)?.hasPrefix("/Volumes/") == true
  }

  package func text(_ command: [String]) -> String {
    run(command).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func information(_ device: String) -> DiskInformation? {
    run(["diskutil", "info", "-plist", device]).flatMap(DiskInformation.read)
      ?? run(["diskutil", "info", device]).flatMap(DiskInformation.read) ?? listed(device)
  }

  /// The profiler's word on a volume, where diskutil fails.
  private func listed(_ device: String) -> DiskInformation? {
    let profile = run(["system_profiler", "-json", "SPStorageDataType"]).flatMap(VolumeProfile.read)
    guard let volume = profile?.volumes.first(where: { $0.device == device }) else { return nil }
    return DiskInformation(
      device: device, wholeDisk: DeviceName.whole(device), connection: volume.connection,
      isInternal: volume.isInternal, isSolidState: volume.isSolidState, model: volume.model,
      capacityBytes: volume.capacityBytes, freeBytes: volume.freeBytes)
  }

  /// From a volume, or the snapshot that `/` is, over its APFS container to the disk that holds it;
  /// nil if several hold it (Fusion) or it is unknown.
  private func physicalDisk(of volume: DiskInformation) -> DiskInformation? {
    let stores = physicalStores(of: volume) ?? volume.device.map { [$0] } ?? []
    let disks = Set(stores.map(DeviceName.whole))
    guard disks.count == 1, let disk = disks.first else { return nil }
    return information(disk)
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
  /// Apple silicon always encrypts its internal storage, as Intel Macs with a T2 do: FileVault off
  /// there is `hardware`. Otherwise unknown.
  private func encryption(
    _ volume: DiskInformation, _ disk: DiskInformation?, storage: Storage, isExtra: Bool
  ) -> Encryption {
    let listed = volume.hasFileVault == nil || volume.isEncrypted == nil
      ? volume.device.flatMap { device in containers()?.volume(device) } : nil
    let isEncrypted = volume.isEncrypted ?? listed?.isEncrypted
    let hasFileVault = volume.hasFileVault ?? listed?.hasFileVault
    guard storage == .internal else {
      if isEncrypted == true || hasFileVault == true {
        if storage == .virtualDisk, hasFileVault == true { return .fileVault }
        return volume.fileSystem == "apfs" ? .apfsEncrypted : .unknown
      }
      // HFS+ itself cannot; what is below it, in a volume that macOS makes up, can.
      let cannotEncrypt = ["exfat", "msdos", "ntfs"].contains(volume.fileSystem)
        || (volume.fileSystem == "hfs" && volume.physicalStores == nil && volume.isSynthesized != true)
      return isEncrypted == false || hasFileVault == false || cannotEncrypt ? .unencrypted : .unknown
    }
    let known = hasFileVault ?? (isExtra ? nil : startupFileVault(volume))
    if known == true { return .fileVault }
    let isHardware = [volume.connection, disk?.connection].contains("Apple Fabric") || volume.hasHardwareEncryption == true
    if isEncrypted == true, volume.fileSystem == "apfs" {
      // Encrypted, and not by FileVault: where the hardware always does, that is all there is to it.
      guard isHardware else { return .apfsEncrypted }
      return known == false ? .hardware : .unknown
    }
    // FileVault would encrypt: without it, and only then, it is the hardware alone.
    if isHardware { return known == false || isEncrypted == false ? .hardware : .unknown }
    return isEncrypted == false && volume.hasHardwareEncryption == false ? .unencrypted : .unknown
  }

  /// fdesetup speaks of the startup volume only: of the system's own volumes, in its container.
  private func startupFileVault(_ volume: DiskInformation) -> Bool? {
    guard let container = volume.container, information("/")?.container == container else { return nil }
    return FileVaultStatus.read(text(["fdesetup", "status"])).isOn
  }
}

extension MacStorage {
  /// What `df` tells, of which the first line is a heading: where a directory lies. A share is called after
  /// its user, its server and itself.
  package static let recordedMounts = Recorded(line: { line, _, names in
    if line.hasPrefix("Filesystem") { return "Filesystem 512-blocks Used Available Capacity Mounted on" }
    guard let source = line.split(separator: " ").first.map(String.init) else { return nil }
    let mount = line.components(separatedBy: "% ").last.map(trimmed) ?? ""
    let place = mount.hasPrefix("/Volumes/") ? "/Volumes/" + names.name(String(mount.dropFirst(9))) : "/"
    return "\(device(source, names)) 1 1 1 1% \(place)"
  })

  private static func device(_ source: String, _ names: StandIns) -> String {
    if DeviceName.read(source) != nil { return source }
    if let device = DeviceName.mounted(source) {
      return source.contains("@/dev/") ? "snapshot@/dev/\(device)" : "volume://\(device)/"
    }
    if source.hasPrefix("//") { return "//" + names.name(String(source.dropFirst(2))) }
    return source.contains(":/") || (source.contains("@") && source.hasSuffix(":")) ? "server:/" + names.name(source) : names.name(source)
  }
}

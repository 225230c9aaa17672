import Base
import Document
import Foundation
import MacTools

/// The storage of a directory on Linux. Always probed, never taken from the user.
package struct LinuxTarget {
  package let world: World

  /// - Parameter deviceKey: the agent's own key, used to distinguish two devices of one model.
  package func record(path: String, deviceKey: [UInt8]) -> TargetRecord {
    guard let mount = mount(of: path) else { return TargetRecord(storage: .other, encryption: .unknown) }
    var target = TargetRecord(storage: .other, encryption: .unknown)
    target.fileSystem = documentText(mount.fileSystem)
    if Self.networkFileSystems.contains(mount.fileSystem) || mount.fileSystem.hasPrefix("fuse.ssh") {
      target.storage = .network
      return target
    }
    guard let device = device(of: mount) else { return target }
    var encrypted = false
    let layers = wholeDisk(device, encrypted: &encrypted)
    if encrypted { target.encryption = Encryption("dm_crypt") }
    guard let disk = layers else {
      target.doubt = "the volume spans several disks"
      return target
    }
    target.storage = storage(of: disk)
    target.linkSpeed = linkSpeed(of: disk)
    target.device = documentText(read(disk, "device/model"))
    target.deviceID = deviceIdentifier(disk, key: deviceKey)
    if let backing = world.readText(disk + "/loop/backing_file").map(trimmed) {
      target = image(of: backing, fileSystem: mount.fileSystem, deviceKey: deviceKey)
      target.imageFile = ImageFile(path: backing, isBuffered: read(disk, "loop/dio") == "0")
      if encrypted { target.encryption = Encryption("dm_crypt") }
    }
    return target
  }

  private func image(of backing: String, fileSystem: String, deviceKey: [UInt8]) -> TargetRecord {
    let host = record(path: (backing as NSString).deletingLastPathComponent, deviceKey: deviceKey)
    // Programs such as VeraCrypt present decrypted data as an unencrypted raw image.
    let isMadeUp = host.fileSystem?.hasPrefix("fuse") ?? true
    return TargetRecord(
      storage: .diskImage,
      image: ImageRecord(format: isMadeUp ? nil : .raw, host: ImageHost(host)),
      encryption: isMadeUp ? .unknown : .unencrypted, fileSystem: fileSystem,
      doubt: isMadeUp ? "the storage of the image's file is unknown" : nil)
  }

  // MARK: from a path to its block device

  package struct Mount: Equatable {
    package var device: String  // major:minor
    package var point: String
    package var fileSystem: String
    package var source: String
  }

  /// The mount that contains `path`: the one with the longest matching mount point.
  package func mount(of path: String) -> Mount? {
    let resolved = world.resolve(path) ?? path
    let holding = Self.mounts(world.readText("/proc/self/mountinfo") ?? "").filter { mount in
      mount.point == "/" || resolved == mount.point || resolved.hasPrefix(mount.point + "/")
    }
    // The last listed of stacked mounts is on top.
    let longest = holding.map(\.point.count).max()
    return holding.last { $0.point.count == longest }
  }

  /// Parse proc_pid_mountinfo(5): fields before and after a lone dash, spaces as \040.
  package static func mounts(_ text: String) -> [Mount] {
    text.split(separator: "\n").compactMap { line in
      let halves = line.components(separatedBy: " - ")
      guard halves.count == 2 else { return nil }
      let before = halves[0].split(separator: " ")
      let after = halves[1].split(separator: " ")
      guard before.count >= 5, after.count >= 2 else { return nil }
      return Mount(
        device: String(before[2]), point: unescaped(before[4]), fileSystem: String(after[0]),
        source: unescaped(after[1]))
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    text.replacingOccurrences(of: "\\040", with: " ").replacingOccurrences(of: "\\011", with: "\t")
      .replacingOccurrences(of: "\\134", with: "\\")
  }

  /// The device's directory in /sys. File systems with their own device numbers (btrfs) name the
  /// device as the mount's source.
  private func device(of mount: Mount) -> String? {
    if let found = world.resolve("/sys/dev/block/" + mount.device) { return found }
    guard mount.source.hasPrefix("/dev/"), let node = world.resolve(mount.source) else { return nil }
    return world.resolve("/sys/class/block/" + (node as NSString).lastPathComponent)
  }

  /// Go up from a partition and down through device-mapper and RAID layers to the disk; nil if
  /// there are several. dm-crypt is neither of the vocabulary's names for full-disk encryption.
  private func wholeDisk(_ device: String, encrypted: inout Bool) -> String? {
    if read(device, "dm/uuid")?.hasPrefix("CRYPT-") == true { encrypted = true }
    if read(device, "partition") != nil {
      return wholeDisk((device as NSString).deletingLastPathComponent, encrypted: &encrypted)
    }
    let layers = world.list(device + "/slaves")
    guard layers.count < 2 else { return nil }
    if let below = layers.first,
      let resolved = world.resolve(device + "/slaves/" + below)
    {
      return wholeDisk(resolved, encrypted: &encrypted)
    }
    return device
  }

  // MARK: from a block device to its kind

  private func storage(of disk: String) -> Storage {
    let name = (disk as NSString).lastPathComponent
    let model = read(disk, "device/model") ?? ""
    if model.hasPrefix("Amazon Elastic Block Store") { return .ebs }
    if disk.contains("/usb") { return (usbSpeed(of: disk) ?? 0) >= 5e9 ? .usb3 : .other }
    if name.hasPrefix("vd") || name.hasPrefix("xvd") { return .virtualDisk }
    if name.hasPrefix("mmcblk") { return read(disk, "device/type") == "SD" ? .sdCard : .internal }
    if Self.virtualModels.contains(where: model.hasPrefix) { return .virtualDisk }
    if isOutside(disk) || read(disk, "removable") == "1" { return .other }
    let built = name.hasPrefix("nvme") || (name.hasPrefix("sd") && disk.contains("/ata"))
    guard built else { return .other }
    return read(disk, "queue/rotational") == "1" ? .internalHardDisk : .internal
  }

  /// Whether any PCI device on the path is removable: Thunderbolt or USB4, which look the same.
  private func isOutside(_ disk: String) -> Bool {
    var path = disk
    while path.hasPrefix("/sys/devices/") {
      if read(path, "removable") == "removable" { return true }
      path = (path as NSString).deletingLastPathComponent
    }
    return false
  }

  /// In bit/s; known for USB only.
  private func linkSpeed(of disk: String) -> Double? {
    disk.contains("/usb") ? usbSpeed(of: disk) : nil
  }

  /// The speed of the nearest USB device above the disk, whose `speed` is in Mbit/s.
  private func usbSpeed(of disk: String) -> Double? {
    var path = disk
    while path.contains("/usb") {
      if let speed = read(path, "speed").flatMap({ Double($0) }) { return speed * 1e6 }
      path = (path as NSString).deletingLastPathComponent
    }
    return nil
  }

  private func deviceIdentifier(_ disk: String, key: [UInt8]) -> String? {
    let serial = read(disk, "device/serial") ?? read(disk, "serial") ?? read(disk, "device/wwid")
    return serial.flatMap { DeviceIdentifier.make(serial: $0, key: key) }
  }

  private func read(_ directory: String, _ name: String) -> String? {
    let text = world.readText(directory + "/" + name).map(trimmed)
    return text?.isEmpty == true ? nil : text
  }

  private static let networkFileSystems: Set = [
    "nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "glusterfs", "afs",
  ]
  private static let virtualModels = ["QEMU", "VBOX", "VMware", "Virtual"]
}

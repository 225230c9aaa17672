import Formats
import Foundation

/// Disks, their contents, and the partitions of each APFS container, from `diskutil list`. Names
/// and UUIDs of volumes are never kept.
package struct DiskListing: Codable, Equatable, Sendable {
  package struct Disk: Codable, Equatable, Sendable {
    package var device: String
    package var content: String?
    package var sizeBytes: Int?
    /// Its partitions, or the volumes and snapshots of an APFS container.
    package var parts: [String] = []
    package var physicalStores: [String] = []
    /// Only in the text form.
    package var isInternal: Bool?
    package var isDiskImage: Bool?
    package var isSynthesized: Bool?
  }

  package var disks: [Disk] = []

  package static func read(_ data: Data) -> DiskListing? {
    guard let value = ToolValue(data) else { return read(text: String(decoding: data, as: UTF8.self)) }
    guard let disks = value["AllDisksAndPartitions"] else { return nil }
    return DiskListing(disks: disks.items.compactMap(disk))
  }

  private static func disk(_ value: ToolValue) -> Disk? {
    guard let device = DeviceName.read(value["DeviceIdentifier"]?.text) else { return nil }
    var disk = Disk(device: device)
    disk.content = value["Content"]?.text.flatMap(content)
    disk.sizeBytes = value["Size"]?.bytes
    for part in (value["Partitions"]?.items ?? []) + (value["APFSVolumes"]?.items ?? []) {
      disk.parts += devices(part["DeviceIdentifier"])
      disk.parts += part["MountedSnapshots"]?.items.flatMap { devices($0["SnapshotBSD"]) } ?? []
    }
    disk.physicalStores = value["APFSPhysicalStores"]?.items.flatMap { devices($0["DeviceIdentifier"]) } ?? []
    return disk
  }

  private static func devices(_ value: ToolValue?) -> [String] {
    DeviceName.read(value?.text).map { [$0] } ?? []
  }

  /// A partition's type, in Apple's names; nil for a UUID. Type UUIDs identify no machine, but all
  /// UUIDs are left out.
  private static func content(_ text: String) -> String? {
    text.contains("-") ? nil : text
  }

  /// The partitions that hold this APFS container.
  package func physicalStores(ofContainer container: String) -> [String]? {
    disks.first { $0.device == container && !$0.physicalStores.isEmpty }?.physicalStores
  }
}

extension DiskListing {
  /// Read blocks that start with "/dev/disk3 (internal, physical):", followed by lines whose last
  /// word is a device. Names in between may contain anything.
  private static func read(text: String) -> DiskListing? {
    var disks: [Disk] = []
    for line in Lines.of(text) {
      if line.hasPrefix("/dev/"), line.hasSuffix(":"), let disk = heading(line) {
        disks.append(disk)
      } else if var disk = disks.popLast() {
        take(line, into: &disk)
        disks.append(disk)
      }
    }
    return disks.isEmpty ? nil : DiskListing(disks: disks)
  }

  private static func heading(_ line: Substring) -> Disk? {
    let words = line.dropLast().split(separator: " ", maxSplits: 1)
    guard let device = DeviceName.read(words.first.map(String.init)) else { return nil }
    var disk = Disk(device: device)
    let kinds = words.dropFirst().first?.split { "(), ".contains($0) } ?? []
    if kinds.contains("internal") { disk.isInternal = true }
    if kinds.contains("external") { disk.isInternal = false }
    disk.isDiskImage = words.last?.contains("disk image") == true
    disk.isSynthesized = kinds.contains("synthesized")
    return disk
  }

  private static func take(_ line: Substring, into disk: inout Disk) {
    let words = line.split { $0.isWhitespace }.map(String.init)
    if words.count >= 3, words[0] == "Physical", words[1].hasPrefix("Store") {
      disk.physicalStores += words.dropFirst(2).compactMap { word in
        DeviceName.read(word.hasSuffix(",") ? String(word.dropLast()) : word)
      }
      return
    }
    guard words.count >= 3, words[0].hasSuffix(":"), let device = DeviceName.read(words.last),
      DeviceName.whole(device) == disk.device
    else { return }
    if device != disk.device {
      disk.parts.append(device)
    } else if words.count >= 5, !words[1].hasPrefix("+"), !words[1].hasPrefix("*") {
      disk.content = words[1]
    }
  }
}

extension DiskListing {
  private static let part = Shape.fields(["DeviceIdentifier": .device, "MountedSnapshots": .each(.fields(["SnapshotBSD": .device]))])

  package static let recorded = Recorded(
    shape: .fields([
      "AllDisksAndPartitions": .each(
        .fields([
          "DeviceIdentifier": .device, "Content": .text(content), "Size": .fact, "Partitions": .each(part), "APFSVolumes": .each(part),
          "APFSPhysicalStores": .each(.fields(["DeviceIdentifier": .device])),
        ]))
    ]),
    line: { line, _, names in
      if line.hasPrefix("/dev/"), line.hasSuffix(":"), let disk = heading(line) {
        let kinds = [
          disk.isInternal.map { $0 ? "internal" : "external" }, disk.isDiskImage == true ? "disk image" : nil,
          disk.isSynthesized == true ? "synthesized" : "physical",
        ].compactMap { $0 }
        return "/dev/\(disk.device) (\(kinds.joined(separator: ", "))):"
      }
      let words = line.split { $0.isWhitespace }.map(String.init)
      let devices = words.filter { DeviceName.read($0.filter { $0 != "," }) != nil }
      if words.first == "Physical", !devices.isEmpty { return "   Physical Store " + devices.joined(separator: " ") }
      guard words.count >= 3, Int(words[0].dropLast()) != nil, words[0].hasSuffix(":"), let device = DeviceName.read(words.last) else { return nil }
      // A partition or disk of an unnamed type shows its own name here.
      let isKind = ["Apple_", "GUID_", "FDisk_", "Windows_", "DOS_", "Linux_", "APFS", "+", "*"].contains { words[1].hasPrefix($0) }
      let kind = isKind ? words[1] : names.name(words[1])
      return "   \(words[0]) \(kind) \(words.count >= 5 ? "0.0 B " : "")\(device)"
    })
}

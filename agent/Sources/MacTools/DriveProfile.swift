import Formats
import Foundation

/// Drives from `system_profiler` SPNVMeDataType and SPSerialATADataType. Serial numbers are never
/// exposed: `identify` turns each into an opaque identifier (see DeviceIdentifier).
package struct DriveProfile: Codable, Equatable, Sendable {
  package struct Drive: Codable, Equatable, Sendable {
    package var disk: String?
    package var model: String?
    package var capacityBytes: Int?
    package var isDetachable: Bool?
    package var isSolidState: Bool?
    package var identifier: String?
  }

  package var drives: [Drive] = []

  package static func read(_ data: Data, identify: (String) -> String? = { _ in nil }) -> DriveProfile? {
    guard let value = ToolValue(data) else { return nil }
    // NVMe drives are never hard disks.
    let reports = [("SPNVMeDataType", true), ("SPSerialATADataType", nil)].compactMap { type, isSolidState in
      ProfilerItems.read(type, in: value)?.flatMap { $0["_items"]?.items ?? [] }.map { drive($0, isSolidState, identify) }
    }
    return reports.isEmpty ? nil : DriveProfile(drives: reports.flatMap { $0 })
  }

  private static func drive(_ value: ToolValue, _ isSolidState: Bool?, _ identify: (String) -> String?) -> Drive {
    Drive(
      disk: DeviceName.read(value["bsd_name"]?.text),
      model: value["device_model"]?.text ?? value["_name"]?.text,
      capacityBytes: value["size_in_bytes"]?.bytes ?? value["size"]?.text.flatMap(Quantity.storage),
      isDetachable: value["detachable_drive"]?.boolean,
      isSolidState: isSolidState ?? medium(value["spsata_medium_type"]?.text),
      identifier: value["device_serial"]?.text.flatMap(identify))
  }

  /// The drive with this disk name, or, if the tool prints none, with a model that only one drive
  /// has.
  package func drive(disk: String?, model: String?) -> Drive? {
    if let disk, let found = drives.first(where: { $0.disk == disk }) { return found }
    let alike = drives.filter { $0.disk == nil && $0.model != nil && $0.model == model }
    return alike.count == 1 ? alike.first : nil
  }
}

/// Mounted volumes from `system_profiler SPStorageDataType`. Their names, mount points and UUIDs
/// are never kept.
package struct VolumeProfile: Codable, Equatable, Sendable {
  package struct Volume: Codable, Equatable, Sendable {
    package var device: String
    package var fileSystem: String?
    package var capacityBytes: Int?
    package var freeBytes: Int?
    package var isWritable: Bool?
    package var model: String?
    package var connection: String?
    package var isInternal: Bool?
    package var isSolidState: Bool?
  }

  package var volumes: [Volume] = []

  package static func read(_ data: Data) -> VolumeProfile? {
    ProfilerItems.read("SPStorageDataType", in: data).map { volumes in
      VolumeProfile(volumes: volumes.compactMap(volume))
    }
  }

  private static func volume(_ value: ToolValue) -> Volume? {
    guard let device = DeviceName.read(value["bsd_name"]?.text) else { return nil }
    let drive = value["physical_drive"]
    return Volume(
      device: device, fileSystem: value["file_system"]?.text, capacityBytes: value["size_in_bytes"]?.bytes,
      freeBytes: value["free_space_in_bytes"]?.bytes, isWritable: value["writable"]?.boolean,
      model: isHardware(value) ? DiskInformation.model(drive?["device_name"]?.text) : nil, connection: drive?["protocol"]?.text,
      isInternal: drive?["is_internal_disk"]?.boolean, isSolidState: medium(drive?["medium_type"]?.text))
  }

  /// Whether it is a physical drive; manufacturers name only those.
  fileprivate static func isHardware(_ volume: ToolValue) -> Bool {
    DiskInformation.isOfHardware(volume["physical_drive"]?["protocol"]?.text)
  }
}

/// Whether a medium is solid state, in either report's words.
private func medium(_ text: String?) -> Bool? {
  switch text?.lowercased() {
  case "ssd", "solid state": true
  case "rotational": false
  default: nil
  }
}

extension DriveProfile {
  package static let recorded = Shape.fields([
    "_items": .each(.either { drive in
      let model = drive["device_model"]?.text == nil ? "_name" : "device_model"
      return .fields([
        "bsd_name": .device, model: .fact, "size_in_bytes": .fact, "size": .fact, "detachable_drive": .fact,
        "spsata_medium_type": .fact, "device_serial": .nothing,
      ])
    })
  ])
}

extension VolumeProfile {
  package static let recorded = Shape.either { volume in
    .fields([
      "bsd_name": .device, "file_system": .fact, "size_in_bytes": .fact, "free_space_in_bytes": .fact, "writable": .fact,
      "physical_drive": .fields([
        "device_name": isHardware(volume) ? .fact : .nothing, "protocol": .fact, "is_internal_disk": .fact, "medium_type": .fact,
      ]),
    ])
  }
}

import Formats
import Foundation

/// The drives that `system_profiler` lists under SPNVMeDataType and SPSerialATADataType. A serial
/// number never gets out: it is handed to `identify`, which makes an identifier of it that tells
/// nothing (see DeviceIdentifier).
package struct DriveProfile: Codable, Equatable, Sendable {
  package struct Drive: Codable, Equatable, Sendable {
    package var disk: String?
    package var model: String?
    package var capacityBytes: Int?
    package var isDetachable: Bool?
    package var identifier: String?
  }

  package var drives: [Drive] = []

  package static func read(_ data: Data, identify: (String) -> String? = { _ in nil }) -> DriveProfile? {
    guard let value = ToolValue(data) else { return nil }
    let reports = ["SPNVMeDataType", "SPSerialATADataType"].compactMap { ProfilerItems.read($0, in: value) }
    guard !reports.isEmpty else { return nil }
    let items = reports.flatMap { $0 }.flatMap { $0["_items"]?.items ?? [] }
    return DriveProfile(drives: items.map { drive($0, identify) })
  }

  private static func drive(_ value: ToolValue, _ identify: (String) -> String?) -> Drive {
    Drive(
      disk: DeviceName.read(value["bsd_name"]?.text),
      model: value["device_model"]?.text ?? value["_name"]?.text,
      capacityBytes: value["size_in_bytes"]?.bytes ?? value["size"]?.text.flatMap(Quantity.storage),
      isDetachable: value["detachable_drive"]?.boolean,
      identifier: value["device_serial"]?.text.flatMap(identify))
  }

  /// By its disk, or, where the tool prints none, by a model that only one drive has.
  package func drive(disk: String?, model: String?) -> Drive? {
    if let disk, let found = drives.first(where: { $0.disk == disk }) { return found }
    let alike = drives.filter { $0.disk == nil && $0.model != nil && $0.model == model }
    return alike.count == 1 ? alike.first : nil
  }
}

/// The mounted volumes that `system_profiler SPStorageDataType` lists. Their names, mount points and
/// UUIDs are never kept.
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
      model: DiskInformation.model(drive?["device_name"]?.text), connection: drive?["protocol"]?.text,
      isInternal: drive?["is_internal_disk"]?.boolean, isSolidState: medium(drive?["medium_type"]?.text))
  }

  private static func medium(_ text: String?) -> Bool? {
    switch text {
    case "ssd": true
    case "rotational": false
    default: nil
    }
  }
}

extension DriveProfile {
  package static let recorded = Shape.fields([
    "_items": .each(.either { drive in
      let model = drive["device_model"]?.text == nil ? "_name" : "device_model"
      return .fields([
        "bsd_name": .device, model: .fact, "size_in_bytes": .fact, "size": .fact, "detachable_drive": .fact, "device_serial": .nothing,
      ])
    })
  ])
}

extension VolumeProfile {
  package static let recorded = Shape.fields([
    "bsd_name": .device, "file_system": .fact, "size_in_bytes": .fact, "free_space_in_bytes": .fact, "writable": .fact,
    "physical_drive": .fields(["device_name": .fact, "protocol": .fact, "is_internal_disk": .fact, "medium_type": .fact]),
  ])
}

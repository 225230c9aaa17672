import Foundation

/// The drives that `system_profiler` lists under SPNVMeDataType and SPSerialATADataType. A serial
/// number never gets out: it is handed to `identify`, which makes an identifier of it that tells
/// nothing (see DeviceIdentifier).
public struct DriveProfile: Codable, Equatable, Sendable {
  public struct Drive: Codable, Equatable, Sendable {
    public var disk: String?
    public var model: String?
    public var capacityBytes: Int?
    public var isDetachable: Bool?
    public var identifier: String?
  }

  public var drives: [Drive] = []

  public static func read(_ data: Data, identify: (String) -> String? = { _ in nil }) -> DriveProfile? {
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
  public func drive(disk: String?, model: String?) -> Drive? {
    if let disk, let found = drives.first(where: { $0.disk == disk }) { return found }
    let alike = drives.filter { $0.disk == nil && $0.model != nil && $0.model == model }
    return alike.count == 1 ? alike.first : nil
  }
}

/// The mounted volumes that `system_profiler SPStorageDataType` lists. Their names, mount points and
/// UUIDs are never kept.
public struct VolumeProfile: Codable, Equatable, Sendable {
  public struct Volume: Codable, Equatable, Sendable {
    public var device: String
    public var fileSystem: String?
    public var capacityBytes: Int?
    public var freeBytes: Int?
    public var isWritable: Bool?
    public var model: String?
    public var connection: String?
    public var isInternal: Bool?
    public var isSolidState: Bool?
  }

  public var volumes: [Volume] = []

  public static func read(_ data: Data) -> VolumeProfile? {
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
  static let recorded = Shape.fields([
    "_items": .each(.either { drive in
      let model = drive["device_model"]?.text == nil ? "_name" : "device_model"
      return .fields([
        "bsd_name": .device, model: .fact, "size_in_bytes": .fact, "size": .fact, "detachable_drive": .fact, "device_serial": .nothing,
      ])
    })
  ])
}

extension VolumeProfile {
  static let recorded = Shape.fields([
    "bsd_name": .device, "file_system": .fact, "size_in_bytes": .fact, "free_space_in_bytes": .fact, "writable": .fact,
    "physical_drive": .fields(["device_name": .fact, "protocol": .fact, "is_internal_disk": .fact, "medium_type": .fact]),
  ])
}

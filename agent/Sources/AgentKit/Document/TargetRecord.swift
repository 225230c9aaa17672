/// What a storage run was measured on. `device` is a model name; `deviceID` tells two of one model
/// apart and is no serial number. `linkSpeed` is in bit/s, as links are
/// named: 40e9 for Thunderbolt 3.
public struct TargetRecord: Codable, Equatable, Sendable {
  public var storage: Storage
  public var linkSpeed: Double?
  public var device: String?
  public var deviceID: String?
  public var via: String?
  public var simultaneous: Int?
  public var image: ImageRecord?
  public var encryption: Encryption?
  public var fileSystem: String?
  public var capacityBytes: Int?
  public var freeBytes: Int?
  /// Where the image lies: for this machine alone, and no part of a document.
  var imageFile: ImageFile?
  /// Why its storage or link is not known where something could be told of it; said to the owner, and no
  /// part of a document.
  var doubt: String?

  enum CodingKeys: String, CodingKey {
    case storage
    case linkSpeed = "link_speed"
    case device
    case deviceID = "device_id"
    case via, simultaneous, image, encryption
    case fileSystem = "file_system"
    case capacityBytes = "capacity_bytes"
    case freeBytes = "free_bytes"
  }

  /// Whether it takes direct transfers and goes through memory all the same.
  var cachesAllTheSame: Bool {
    ["tmpfs", "ramfs"].contains(fileSystem) || imageFile?.isBuffered == true
  }
}

/// The file, or the directory of bands, that a disk image is.
struct ImageFile: Equatable, Sendable {
  let path: String
  /// Whether what mounts it is known to go through the cache of the file system below.
  var isBuffered = false
}

/// The disk image that a target is, and what holds it.
public struct ImageRecord: Codable, Equatable, Sendable {
  public var format: ImageFormat?
  public var state: ImageState?
  public var capacityBytes: Int?
  public var host: ImageHost?

  enum CodingKeys: String, CodingKey {
    case format, state
    case capacityBytes = "capacity_bytes"
    case host
  }
}

/// The storage that a disk image's file lies on.
public struct ImageHost: Codable, Equatable, Sendable {
  public var storage: Storage
  public var encryption: Encryption?
  public var linkSpeed: Double?
  public var device: String?
  public var deviceID: String?

  enum CodingKeys: String, CodingKey {
    case storage, encryption
    case linkSpeed = "link_speed"
    case device
    case deviceID = "device_id"
  }
}

extension ImageHost {
  /// What of the host's target matters to an image on it.
  init(_ target: TargetRecord) {
    self.init(
      storage: target.storage, encryption: target.encryption, linkSpeed: target.linkSpeed,
      device: target.device, deviceID: target.deviceID)
  }
}

/// The storage that a run measured. `device` is a model name; `deviceID` distinguishes two drives
/// of one model without being a serial number. `linkSpeed` is in bit/s, as links are named: 40e9
/// for Thunderbolt 3.
package struct TargetRecord: Codable, Equatable, Sendable {
  package var storage: Storage
  package var linkSpeed: Double?
  package var device: String?
  package var deviceID: String?
  package var via: String?
  /// The device's enclosure, if it has its own name.
  package var enclosure: String?
  package var simultaneous: Int?
  package var image: ImageRecord?
  package var encryption: Encryption?
  package var fileSystem: String?
  package var capacityBytes: Int?
  package var freeBytes: Int?
  /// The image's location: used on this machine only, never part of a document.
  package var imageFile: ImageFile?
  /// Why something about it is unknown; a warning of the run.
  package var doubt: String?

  package init(
    storage: Storage, linkSpeed: Double? = nil, device: String? = nil, deviceID: String? = nil,
    via: String? = nil, enclosure: String? = nil, simultaneous: Int? = nil, image: ImageRecord? = nil,
    encryption: Encryption? = nil, fileSystem: String? = nil, capacityBytes: Int? = nil, freeBytes: Int? = nil,
    imageFile: ImageFile? = nil, doubt: String? = nil
  ) {
    self.storage = storage
    self.linkSpeed = linkSpeed
    self.device = device
    self.deviceID = deviceID
    self.via = via
    self.enclosure = enclosure
    self.simultaneous = simultaneous
    self.image = image
    self.encryption = encryption
    self.fileSystem = fileSystem
    self.capacityBytes = capacityBytes
    self.freeBytes = freeBytes
    self.imageFile = imageFile
    self.doubt = doubt
  }

  package enum CodingKeys: String, CodingKey {
    case storage
    case linkSpeed = "link_speed"
    case device
    case deviceID = "device_id"
    case via, enclosure, simultaneous, image, encryption
    case fileSystem = "file_system"
    case capacityBytes = "capacity_bytes"
    case freeBytes = "free_bytes"
  }

  /// Product names of the device, what it is connected through and its image's host; documents make
  /// them public.
  package var names: [String] { [device, via, enclosure, image?.host?.device].compactMap { $0 } }

  /// Whether it accepts direct transfers but caches them in memory anyway.
  package var cachesAllTheSame: Bool {
    ["tmpfs", "ramfs"].contains(fileSystem) || imageFile?.isBuffered == true
  }
}

/// A disk image's file, or directory of bands.
package struct ImageFile: Equatable, Sendable {
  package let path: String
  /// Whether the mounting tool is known to use the cache of the file system below.
  var isBuffered = false

  package init(path: String, isBuffered: Bool = false) {
    self.path = path
    self.isBuffered = isBuffered
  }
}

/// The disk image that a target is on, and its host storage.
package struct ImageRecord: Codable, Equatable, Sendable {
  package var format: ImageFormat?
  package var state: ImageState?
  package var capacityBytes: Int?
  package var host: ImageHost?

  package init(
    format: ImageFormat? = nil, state: ImageState? = nil, capacityBytes: Int? = nil, host: ImageHost? = nil
  ) {
    self.format = format
    self.state = state
    self.capacityBytes = capacityBytes
    self.host = host
  }

  package enum CodingKeys: String, CodingKey {
    case format, state
    case capacityBytes = "capacity_bytes"
    case host
  }
}

/// The storage that a disk image's file is on.
package struct ImageHost: Codable, Equatable, Sendable {
  package var storage: Storage
  package var encryption: Encryption?
  package var linkSpeed: Double?
  package var device: String?
  package var deviceID: String?

  package init(
    storage: Storage, encryption: Encryption? = nil, linkSpeed: Double? = nil, device: String? = nil,
    deviceID: String? = nil
  ) {
    self.storage = storage
    self.encryption = encryption
    self.linkSpeed = linkSpeed
    self.device = device
    self.deviceID = deviceID
  }

  package enum CodingKeys: String, CodingKey {
    case storage, encryption
    case linkSpeed = "link_speed"
    case device
    case deviceID = "device_id"
  }
}

extension ImageHost {
  /// The properties of the host's target that matter to an image on it.
  package init(_ target: TargetRecord) {
    self.init(
      storage: target.storage, encryption: target.encryption, linkSpeed: target.linkSpeed,
      device: target.device, deviceID: target.deviceID)
  }
}

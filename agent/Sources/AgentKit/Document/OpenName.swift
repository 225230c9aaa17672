/// A name from a vocabulary that may grow: a value this version has never heard of is kept as it is
/// and written back unchanged, never refused and never mapped to "other".
public protocol OpenName: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension OpenName {
  public init(_ name: String) { self.init(rawValue: name) }
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
  public var description: String { rawValue }
}

/// What kind of storage a target is, by the negotiated protocol of the device's link.
public struct Storage: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let `internal` = Storage("internal")
  public static let thunderbolt3 = Storage("thunderbolt3")
  public static let thunderbolt4 = Storage("thunderbolt4")
  public static let usb4 = Storage("usb4")
  public static let thunderbolt5 = Storage("thunderbolt5")
  public static let usb3 = Storage("usb3")
  public static let sdCard = Storage("sd_card")
  public static let network = Storage("network")
  public static let diskImage = Storage("disk_image")
  public static let virtualDisk = Storage("virtual_disk")
  public static let ebs = Storage("ebs")
  public static let other = Storage("other")
}

/// How a target's bytes are encrypted. `hardware` is Apple silicon's internal storage with FileVault
/// off: always encrypted, never `none`.
public struct Encryption: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unencrypted = Encryption("none")
  public static let hardware = Encryption("hardware")
  public static let fileVault = Encryption("filevault")
  public static let apfsEncrypted = Encryption("apfs_encrypted")
  public static let imageAES128 = Encryption("image_aes128")
  public static let imageAES256 = Encryption("image_aes256")
  public static let unknown = Encryption("unknown")
}

/// The format of a disk image.
public struct ImageFormat: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let raw = ImageFormat("raw")
  public static let asif = ImageFormat("asif")
  public static let sparseBundle = ImageFormat("sparsebundle")
  public static let sparseImage = ImageFormat("sparseimage")
  public static let other = ImageFormat("other")

  /// The formats that `--image` takes.
  public static let known: [ImageFormat] = [.raw, .asif, .sparseBundle, .sparseImage]
}

/// What a disk image had been through before it was measured.
public struct ImageState: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let new = ImageState("new")
  public static let partFilled = ImageState("part_filled")
  public static let emptied = ImageState("emptied")
}

/// Whether a run went to its end.
public struct RunState: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let complete = RunState("complete")
  public static let incomplete = RunState("incomplete")
}

/// A name from a vocabulary that may grow: an unknown value is kept and written back unchanged,
/// never refused and never mapped to "other".
package protocol OpenName: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension OpenName {
  package init(_ name: String) { self.init(rawValue: name) }
  package init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
  package var description: String { rawValue }
}

/// The kind of storage of a target, by its link's negotiated protocol.
package struct Storage: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// An SSD inside the Mac.
  package static let `internal` = Storage("internal")
  package static let internalHardDisk = Storage("internal_hard_disk")
  package static let fusionDrive = Storage("fusion_drive")
  package static let thunderbolt3 = Storage("thunderbolt3")
  package static let thunderbolt4 = Storage("thunderbolt4")
  package static let usb4 = Storage("usb4")
  package static let thunderbolt5 = Storage("thunderbolt5")
  package static let usb3 = Storage("usb3")
  package static let sdCard = Storage("sd_card")
  package static let network = Storage("network")
  package static let diskImage = Storage("disk_image")
  package static let virtualDisk = Storage("virtual_disk")
  package static let ebs = Storage("ebs")
  package static let other = Storage("other")
}

/// The encryption of a target's bytes. `hardware` is Apple silicon's internal storage with
/// FileVault off: always encrypted, never `none`.
package struct Encryption: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let unencrypted = Encryption("none")
  package static let hardware = Encryption("hardware")
  package static let fileVault = Encryption("filevault")
  package static let apfsEncrypted = Encryption("apfs_encrypted")
  package static let imageAES128 = Encryption("image_aes128")
  package static let imageAES256 = Encryption("image_aes256")
  package static let unknown = Encryption("unknown")
}

/// The format of a disk image.
package struct ImageFormat: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let raw = ImageFormat("raw")
  package static let asif = ImageFormat("asif")
  package static let sparseBundle = ImageFormat("sparsebundle")
  package static let sparseImage = ImageFormat("sparseimage")
  package static let other = ImageFormat("other")

  /// The formats that `--image` accepts.
  package static let known: [ImageFormat] = [.raw, .asif, .sparseBundle, .sparseImage]
}

/// The state of a disk image before it was measured.
package struct ImageState: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let new = ImageState("new")
  package static let partFilled = ImageState("part_filled")
  package static let emptied = ImageState("emptied")
}

/// Whether a run completed.
package struct RunState: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let complete = RunState("complete")
  package static let incomplete = RunState("incomplete")
}

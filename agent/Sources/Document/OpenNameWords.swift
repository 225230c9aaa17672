/// Display text for a document's values, for use within a sentence, so that terminal users need not
/// know the names in documents. The server's catalogue uses the same words.
extension OpenName {
  /// The words for a value; for an unknown value, its name with spaces.
  fileprivate func words(in known: [String: String]) -> String {
    known[rawValue] ?? String(rawValue.map { $0 == "_" ? " " : $0 })
  }
}

extension Storage {
  package var words: String { words(in: Self.known) }

  private static let known = [
    "internal": "internal SSD",
    "internal_hard_disk": "internal hard disk",
    "fusion_drive": "Fusion Drive",
    "thunderbolt3": "Thunderbolt 3",
    "thunderbolt4": "Thunderbolt 4",
    "usb4": "USB4",
    "thunderbolt5": "Thunderbolt 5",
    "usb3": "USB 3",
    "sd_card": "SD card",
    "network": "network",
    "disk_image": "disk image",
    "virtual_disk": "virtual disk",
    "ebs": "EBS volume",
    "other": "other storage",
  ]
}

extension Encryption {
  package var words: String { words(in: Self.known) }

  private static let known = [
    "none": "not encrypted",
    "hardware": "FileVault off (hardware encryption)",
    "filevault": "FileVault",
    "apfs_encrypted": "APFS encrypted",
    "image_aes128": "AES-128 encrypted",
    "image_aes256": "AES-256 encrypted",
    "dm_crypt": "dm-crypt (Linux)",
    "unknown": "encryption unknown",
  ]
}

extension ImageFormat {
  /// The kind of image: "ASIF disk image", "sparse bundle".
  package var words: String { words(in: Self.images) }

  private static let images = [
    "raw": "RAW disk image",
    "asif": "ASIF disk image",
    "sparsebundle": "sparse bundle",
    "sparseimage": "sparse image",
    "other": "disk image",
  ]
}

extension ImageState {
  package var words: String { words(in: [:]) }
}

/// The common name of a file system.
package func fileSystemWords(_ name: String) -> String {
  ["apfs": "APFS", "hfs": "HFS+", "exfat": "exFAT", "msdos": "FAT"][name] ?? name
}

import Document
import Foundation

extension MacStorage {
  enum ImageFinding {
    case none
    case attached(AttachedImages.Image, path: String)
    /// One tool reports an image, but another doesn't say which.
    case doubtful(String)
  }

  /// Find the disk image of a device. macOS 26 calls a mounted image's connection "Virtual
  /// Interface", older versions "Disk Image". Other software's disks and a virtual machine's own
  /// have the same name, so hdiutil must list it as an image.
  func image(_ device: String, _ volume: DiskInformation, _ disk: DiskInformation?) -> ImageFinding {
    let connections = [disk?.connection, volume.connection].compactMap { $0?.lowercased() }
    let isNamed = connections.contains("disk image")
    guard isNamed || connections.contains("virtual interface") || connections.isEmpty else { return .none }
    let answer = run(["hdiutil", "info", "-plist"]) ?? Data()
    let devices = [device, volume.device, disk?.device, volume.container].compactMap { $0 }
    let images = AttachedImages.read(answer)
    if let found = devices.first(where: { images?.image(with: $0) != nil }), let attached = images?.image(with: found),
      let path = AttachedImages.path(ofImageWith: found, in: answer)
    {
      return .attached(attached, path: path)
    }
    // A virtual machine's own disk, or a disk without a connection.
    if !isNamed, isVirtual || connections.isEmpty { return .none }
    return .doubtful("diskutil calls this a disk image, but hdiutil does not list it")
  }

  func describe(
    _ attached: AttachedImages.Image, path: String, _ volume: DiskInformation, depth: Int, into target: inout TargetRecord
  ) {
    // A RAM disk is attached like an image, but isn't one.
    if path.hasPrefix("ram:") {
      target.doubt = "this is a RAM disk"
      return
    }
    target.storage = .diskImage
    let header = header(path)
    let asked = run(["diskutil", "image", "info", "--plist", path]).flatMap(ImageDescription.read)
    var format = asked?.format ?? attached.format ?? header?.format
    // Among writable images, only raw ones have no suffix or header of their own, unless encrypted.
    if format == nil, attached.isWritable == true { format = .raw }
    target.imageFile = ImageFile(path: path)
    target.encryption = encryption(volume, header: header, asked: asked, attached: attached)
    let host = depth < 2 ? self.target(path, depth: depth + 1) : nil
    // Programs such as VeraCrypt present decrypted data as an unencrypted raw image.
    if host?.isFile != true || path.contains("/.veracrypt_aux_mnt") {
      if format == .raw { format = nil }
      if target.encryption == .unencrypted { target.encryption = .unknown }
      target.doubt = "the storage of the image's file is unknown" + (host?.doubt.map { ": " + $0 } ?? "")
    }
    target.image = ImageRecord(
      format: format, capacityBytes: attached.capacityBytes ?? asked?.capacityBytes, host: host.map(ImageHost.init))
    if target.image == ImageRecord() { target.image = nil }
  }

  /// The image's header; a sparse bundle is a directory with the header in a file.
  private func header(_ path: String) -> ImageDescription? {
    [path, path + "/token"].lazy.compactMap { run(["head", "-c", "64", $0]) }.compactMap(ImageDescription.header).first
  }

  /// The image's own encryption, otherwise that of its volume.
  private func encryption(
    _ volume: DiskInformation, header: ImageDescription?, asked: ImageDescription?, attached: AttachedImages.Image
  ) -> Encryption {
    let known = [header?.encryption, asked?.encryption].compactMap { $0 }
    if let exact = known.first(where: { $0 == .imageAES128 || $0 == .imageAES256 }) { return exact }
    if attached.isEncrypted == true || known.contains(.unknown) { return .unknown }
    if volume.isEncrypted == true { return .apfsEncrypted }
    let isPlain = attached.isEncrypted == false || known.contains(.unencrypted)
    return isPlain ? .unencrypted : .unknown
  }
}

extension TargetRecord {
  /// Whether a file on it is a real file, not one that a program provides.
  fileprivate var isFile: Bool { fileSystem != nil || storage != .other }
}

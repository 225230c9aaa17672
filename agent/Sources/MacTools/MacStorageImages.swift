import Document
import Foundation

extension MacStorage {
  /// What is known of the disk image that a volume is in.
  struct ImageParts {
    var attached: AttachedImages.Image?
    var path: String?
  }

  /// nil where the volume is in no disk image. macOS 26 calls a mounted image's connection "Virtual
  /// Interface", older ones "Disk Image"; in a virtual machine the former can be its own disk.
  func imageParts(_ device: String, _ volume: DiskInformation, _ disk: DiskInformation?) -> ImageParts? {
    let connections = [disk?.connection, volume.connection].compactMap { $0?.lowercased() }
    let models = [disk?.model, volume.model].compactMap { $0?.lowercased() }
    let isNamed = connections.contains("disk image") || models.contains { $0.hasSuffix("disk image") }
    let isInterface = connections.contains("virtual interface")
    guard isNamed || isInterface || connections.isEmpty else { return nil }
    let answer = run(["hdiutil", "info", "-plist"]) ?? Data()
    let devices = [device, volume.device, disk?.device, volume.container].compactMap { $0 }
    let found = devices.first { AttachedImages.read(answer)?.image(with: $0) != nil }
    // Other software's disks have that interface too, and names of their own.
    guard isNamed || found != nil || (isInterface && !isVirtual && models.isEmpty) else { return nil }
    return ImageParts(
      attached: found.flatMap { AttachedImages.read(answer)?.image(with: $0) },
      path: found.flatMap { AttachedImages.path(ofImageWith: $0, in: answer) })
  }

  func describe(_ image: ImageParts, _ volume: DiskInformation, depth: Int, into target: inout TargetRecord) {
    target.storage = .diskImage
    // A disk in memory is attached like an image, and is none.
    if image.path?.hasPrefix("ram:") == true {
      target.storage = .other
      return
    }
    let header = image.path.flatMap(header)
    let asked = image.path.flatMap { run(["diskutil", "image", "info", "--plist", $0]) }.flatMap(ImageDescription.read)
    let attached = image.attached
    var format = asked?.format ?? attached?.format ?? header?.format
    // Of the images that can be written to, only raw ones have no name or header of their own, but for
    // that of an encrypted one.
    if format == nil, image.path != nil, attached?.isWritable == true { format = .raw }
    target.image = ImageRecord(format: format, capacityBytes: attached?.capacityBytes ?? asked?.capacityBytes)
    target.imageFile = image.path.map { ImageFile(path: $0) }
    target.encryption = encryption(volume, header: header, asked: asked, attached: attached)
    if depth < 2, let path = image.path { target.image?.host = ImageHost(self.target(path, depth: depth + 1)) }
    if target.image == ImageRecord() { target.image = nil }
  }

  /// A sparse bundle is a directory, its header a file in it.
  private func header(_ path: String) -> ImageDescription? {
    [path, path + "/token"].lazy.compactMap { run(["head", "-c", "64", $0]) }.compactMap(ImageDescription.header).first
  }

  /// The image's own encryption, else that of the volume in it.
  private func encryption(
    _ volume: DiskInformation, header: ImageDescription?, asked: ImageDescription?, attached: AttachedImages.Image?
  ) -> Encryption {
    let known = [header?.encryption, asked?.encryption].compactMap { $0 }
    if let exact = known.first(where: { $0 == .imageAES128 || $0 == .imageAES256 }) { return exact }
    if attached?.isEncrypted == true || known.contains(.unknown) { return .unknown }
    if volume.isEncrypted == true { return .apfsEncrypted }
    let isPlain = attached?.isEncrypted == false || known.contains(.unencrypted)
    return isPlain ? .unencrypted : .unknown
  }
}

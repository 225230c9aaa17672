import Base
import Document
import Formats
import Foundation

/// Attached disk images, from `hdiutil info`. An image's path is private: it is looked up by device
/// only to query the next tool, and never becomes a fact.
package struct AttachedImages: Codable, Equatable, Sendable {
  package struct Image: Codable, Equatable, Sendable {
    /// Every disk, partition and volume of the image, including those of its APFS container.
    package var devices: [String] = []
    package var isEncrypted: Bool?
    /// Whether writes go to the image itself; with a shadow file they don't.
    package var isWritable: Bool?
    package var capacityBytes: Int?
    /// Set if the path or the tool's name for the type reveals it.
    package var format: ImageFormat?
  }

  package var images: [Image] = []

  package static func read(_ data: Data) -> AttachedImages? {
    reports(data).map { AttachedImages(images: $0.map(image)) }
  }

  /// The path of the image whose devices include this one (or its whole disk).
  package static func path(ofImageWith device: String, in data: Data) -> String? {
    reports(data)?.first { image($0).devices.contains(device) }?.path
  }

  /// The whole disks of images in a directory.
  package static func disks(ofImagesIn directory: String, in data: Data) -> [String] {
    (reports(data) ?? []).filter { $0.path?.hasPrefix(directory + "/") == true }
      .flatMap(\.devices).filter { DeviceName.whole($0) == $0 }
  }

  package func image(with device: String) -> Image? {
    images.first { $0.devices.contains(device) }
  }

  fileprivate struct Report {
    var path: String?
    var type: String?
    var shadow: String?
    var isEncrypted: Bool?
    var isWritable: Bool?
    var blocks: Int?
    var blockSize: Int?
    var devices: [String] = []
  }

  private static func reports(_ data: Data) -> [Report]? {
    guard let value = ToolValue(data) else { return reports(text: String(decoding: data, as: UTF8.self)) }
    guard let images = value["images"] else { return nil }
    return images.items.map { image in
      Report(
        path: image["image-path"]?.text, type: image["image-type"]?.text, shadow: image["shadow-path"]?.text,
        isEncrypted: image["image-encrypted"]?.boolean, isWritable: image["writeable"]?.boolean,
        blocks: image["blockcount"]?.bytes, blockSize: image["blocksize"]?.bytes,
        devices: AttachedEntity.list(image).map(\.device))
    }
  }

  /// Parse blocks between lines of "=====": "image-path : …", then "/dev/disk4 …" lines.
  private static func reports(text: String) -> [Report]? {
    guard text.contains("image-path") || text.contains("framework") else { return nil }
    var reports: [Report] = []
    for line in Lines.of(text) {
      if line.hasPrefix("=====") {
        reports.append(Report())
      } else if var report = reports.popLast() {
        report.take(line)
        reports.append(report)
      }
    }
    return reports
  }

  private static func image(_ report: Report) -> Image {
    let (capacity, overflow) = (report.blocks ?? 0).multipliedReportingOverflow(by: report.blockSize ?? 0)
    return Image(
      devices: report.devices, isEncrypted: report.isEncrypted, isWritable: report.shadow == nil ? report.isWritable : false,
      capacityBytes: overflow || capacity == 0 ? nil : Quantity.bytes(capacity), format: format(report))
  }

  /// The format by the path's suffix, else by the type's description, which is localised.
  private static func format(_ report: Report) -> ImageFormat? {
    if let format = report.path.flatMap(ImageDescription.format(path:)) { return format }
    return report.type.flatMap(ImageDescription.format(description:))
  }
}

extension AttachedImages.Report {
  fileprivate mutating func take(_ line: Substring) {
    if line.hasPrefix("/dev/") {
      let device = DeviceName.read(line.split { $0.isWhitespace }.first.map(String.init))
      devices += device.map { [$0] } ?? []
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = trimmed(line[line.index(after: colon)...])
    switch trimmed(line[..<colon]) {
    case "image-path": path = value
    case "image-type": type = value
    case "shadow-path": shadow = Redacted.isPlaceholder(value) ? nil : value
    case "image-encrypted": isEncrypted = YesNo.read(value)
    case "writeable": isWritable = YesNo.read(value)
    case "blockcount": blocks = Int(value)
    case "blocksize": blockSize = Int(value)
    default: return
    }
  }
}

/// One line of the result of `hdiutil attach -plist` or `diskutil image attach --plist`.
package struct AttachedEntity: Codable, Equatable, Sendable {
  package var device: String
  package var isMounted: Bool
  package var fileSystem: String?

  /// In the tool's order, which isn't that of the devices; nil for any other output.
  package static func read(_ data: Data) -> [AttachedEntity]? {
    guard let value = ToolValue(data), value["system-entities"] != nil else { return nil }
    return list(value)
  }

  fileprivate static func list(_ value: ToolValue) -> [AttachedEntity] {
    value["system-entities"]?.items.compactMap { entity in
      guard let device = DeviceName.read(entity["dev-entry"]?.text) else { return nil }
      return AttachedEntity(
        device: device, isMounted: entity["mount-point"]?.text != nil,
        fileSystem: (entity["volume-kind"] ?? entity["filesystem-type"])?.text?.lowercased())
    } ?? []
  }
}

extension AttachedImages {
  package static let recorded = Recorded(
    shape: .fields([
      "images": .each(
        .fields([
          "image-path": .path, "shadow-path": .path, "image-type": .fact, "image-encrypted": .fact, "writeable": .fact,
          "blockcount": .fact, "blocksize": .fact,
          "system-entities": .each(
            .fields(["dev-entry": .device, "mount-point": .path, "volume-kind": .fact, "filesystem-type": .fact])),
        ]))
    ]),
    line: { line, _, names in
      if line.hasPrefix("=====") { return "=====" }
      if line.hasPrefix("/dev/") { return line.split { $0.isWhitespace }.first.flatMap { DeviceName.read(String($0)) }.map { "/dev/" + $0 } }
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = trimmed(line[..<colon])
      let value = trimmed(line[line.index(after: colon)...])
      switch name {
      case "image-path", "shadow-path": return "\(name) : \(Redacted.isPlaceholder(value) ? "<none>" : names.path(value))"
      case "image-type", "image-encrypted", "writeable", "blockcount", "blocksize": return "\(name) : \(value)"
      case "framework": return "framework : 0"
      default: return nil
      }
    })
}

import Document
import Formats
import Foundation

/// A disk image, from `hdiutil imageinfo`, `diskutil image info` or its first bytes.
package struct ImageDescription: Codable, Equatable, Sendable {
  package var format: ImageFormat?
  /// `none` or an AES variant; `unknown` if the image is encrypted but the method is unknown. An
  /// encrypted volume inside the image doesn't count.
  package var encryption: Encryption?
  package var capacityBytes: Int?

  /// Read either tool's output, property list or text; nil for anything else (both fail on an
  /// attached image).
  package static func read(_ data: Data) -> ImageDescription? {
    if let value = ToolValue(data) { return read(value) }
    return read(text: String(decoding: data, as: UTF8.self))
  }

  private static func read(_ value: ToolValue) -> ImageDescription? {
    let code = value["Format"]?.text ?? value["Image Format"]?.text ?? value["image-format"]?.text
    let description = value["Format Description"]?.text
    let sizes = value["Size Information"] ?? value["Size Info"]
    guard code != nil || description != nil || sizes != nil else { return nil }
    var words: [(key: String, value: ToolValue)] = []
    flatten(value, depth: 0, into: &words)
    let flags = words.filter { LabelledText.plain($0.key).hasSuffix("encrypted") }.compactMap(\.value.boolean)
    let texts = words.filter { names(encryption: $0.key) }.compactMap(\.value.text)
    return ImageDescription(
      format: code.flatMap(format(code:)) ?? description.flatMap(format(description:)),
      encryption: encryption(flags: flags, texts: texts),
      capacityBytes: sizes?["Total Bytes"]?.bytes ?? value["Size"]?.bytes)
  }

  private static func flatten(_ value: ToolValue, depth: Int, into words: inout [(key: String, value: ToolValue)]) {
    guard depth < 16 else { return }
    for (key, entry) in value.entries {
      words.append((key, entry))
      flatten(entry, depth: depth + 1, into: &words)
    }
  }

  private static func read(text: String) -> ImageDescription? {
    let lines = LabelledText(text)
    let code = lines["Format"] ?? lines["Image Format"]
    let description = lines["Format Description"]
    guard code != nil || description != nil, !text.hasPrefix("hdiutil: imageinfo failed") else { return nil }
    let flags = lines.lines.filter { LabelledText.plain($0.label).hasSuffix("encrypted") }
      .compactMap { YesNo.read($0.value) }
    let texts = lines.lines.filter { names(encryption: $0.label) }.map(\.value)
    return ImageDescription(
      format: code.flatMap(format(code:)) ?? description.flatMap(format(description:)),
      encryption: encryption(flags: flags, texts: texts),
      capacityBytes: lines["Total Bytes"].flatMap { Int($0) }.flatMap(Quantity.bytes))
  }

  private static func names(encryption key: String) -> Bool {
    ["encryption", "encryptionalgorithm", "encryptionmethod", "classname"].contains(LabelledText.plain(key))
  }

  private static func encryption(flags: [Bool], texts: [String]) -> Encryption? {
    let plain = texts.map { LabelledText.plain($0) }
    if plain.contains(where: { $0.contains("aes256") }) { return .imageAES256 }
    if plain.contains(where: { $0.contains("aes128") }) { return .imageAES128 }
    if flags.contains(true) || plain.contains("cencryptedencoding") { return .unknown }
    return flags.isEmpty ? nil : .unencrypted
  }

  /// The format of hdiutil's code. A raw image is UDRW with the suffix .dmg and RAW* with any
  /// other.
  package static func format(code: String) -> ImageFormat? {
    let code = code.uppercased()
    if code.isEmpty { return nil }
    if code == "UDRW" || code.hasPrefix("RAW") { return .raw }
    switch code {
    case "UDSB", "SPARSEBUNDLE": return .sparseBundle
    case "UDSP", "SPARSE": return .sparseImage
    case "ASIF": return .asif
    default: return .other
    }
  }

  /// The format of an English description; other languages are not guessed.
  package static func format(description: String) -> ImageFormat? {
    let text = description.lowercased()
    if text.contains("sparse bundle") { return .sparseBundle }
    if text.contains("apple sparse image") { return .asif }
    if text.contains("sparse") { return .sparseImage }
    if text.contains("raw read") || text == "read/write" || text.contains("udif read/write") { return .raw }
    return text.contains("compressed") || text.contains("read-only") ? .other : nil
  }

  /// The format of a path with a suffix of its own; .dmg and .img are ambiguous.
  package static func format(path: String) -> ImageFormat? {
    let path = path.lowercased()
    if path.hasSuffix(".sparsebundle") || path.hasSuffix(".backupbundle") { return .sparseBundle }
    if path.hasSuffix(".sparseimage") { return .sparseImage }
    return path.hasSuffix(".asif") ? .asif : nil
  }
}

extension ImageDescription {
  /// Read the first 64 bytes of an image's file, or of a sparse bundle's `token`: the only way to
  /// tell an attached image's encryption. Apple's encrypted container starts with "encrcdsa" and
  /// has its key length at byte 24, big-endian; ASIF starts with "shdw" and sparse images with
  /// "sprs". Anything else is unknown: raw images start with their content.
  package static func header(_ data: Data) -> ImageDescription? {
    let bytes = Array(data.prefix(64))
    func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    if begins("shdw") { return ImageDescription(format: .asif) }
    if begins("sprs") { return ImageDescription(format: .sparseImage, encryption: .unencrypted) }
    guard begins("encrcdsa"), bytes.count >= 28 else { return nil }
    let bits = bytes[24..<28].reduce(0) { $0 << 8 | Int($1) }
    let encryption: Encryption = bits == 256 ? .imageAES256 : bits == 128 ? .imageAES128 : .unknown
    return ImageDescription(encryption: encryption)
  }
}

extension ImageDescription {
  /// Keep only the first bytes that identify Apple's containers: an image's file isn't text.
  package static func recorded(header: Data) -> Data {
    let bytes = Array(header.prefix(64))
    var kept = [UInt8](repeating: 0, count: bytes.count)
    let known = ["shdw", "sprs", "encrcdsa"].first { bytes.starts(with: $0.utf8) }
    for place in 0..<(known?.utf8.count ?? 0) { kept[place] = bytes[place] }
    if known == "encrcdsa", bytes.count >= 28 { kept.replaceSubrange(24..<28, with: bytes[24..<28]) }
    return Data(kept)
  }

  package static let recorded = Recorded(
    shape: .fields { key in
      if ["Format", "Image Format", "image-format", "Format Description", "Size"].contains(key) { return .fact }
      if ["Size Information", "Size Info"].contains(key) { return .either { $0["Total Bytes"] == nil ? .same : .fields(["Total Bytes": .fact]) } }
      if LabelledText.plain(key).hasSuffix("encrypted") || names(encryption: key) { return .either { $0.entries.isEmpty ? .fact : .same } }
      return .either { $0.entries.isEmpty ? .nothing : .same }
    },
    line: { line, _, _ in
      if line.hasPrefix("hdiutil: imageinfo failed") { return "hdiutil: imageinfo failed" }
      guard let read = LabelledText(line).lines.first else { return nil }
      let isRead = ["format", "imageformat", "formatdescription", "totalbytes"].contains(LabelledText.plain(read.label))
        || LabelledText.plain(read.label).hasSuffix("encrypted") || names(encryption: read.label)
      return isRead ? String(repeating: " ", count: read.depth) + "\(read.label): \(read.value)" : nil
    })
}

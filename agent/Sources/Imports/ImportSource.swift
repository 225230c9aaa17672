import Base
import Foundation

/// The bytes of a file or standard input, in chunks.
package struct ImportSource {
  /// Total size; nil if unknown beforehand.
  package let size: Int?
  /// Return the next chunk, empty at the end.
  let next: () throws -> [UInt8]

  static let piece = 64 << 10

  static func data(_ data: Data) -> ImportSource {
    var place = 0
    return ImportSource(size: data.count) {
      let bytes = Array(data.dropFirst(place).prefix(piece))
      place += bytes.count
      return bytes
    }
  }

  /// - Parameter path: "-" for standard input.
  package static func file(_ path: String, _ world: World) throws -> ImportSource {
    if path == "-" {
      return ImportSource(size: nil) { try StandardInput.piece(interrupted: world.interrupted) }
    }
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard exists, !isDirectory.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
      throw StateError(
        isDirectory.boolValue ? "this is a directory; name the files in it" : "no such file, or it cannot be read")
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    return ImportSource(size: size.flatMap { $0 > 0 ? $0 : nil }) {
      if world.interrupted() { throw Interrupted() }
      return try handle.read(upToCount: piece).map(Array.init) ?? []
    }
  }

  /// The same bytes, passing each chunk to `see`.
  package func seen(by see: @escaping ([UInt8]) -> Void) -> ImportSource {
    ImportSource(size: size) {
      let bytes = try next()
      see(bytes)
      return bytes
    }
  }

  /// The same text as UTF-8, decoded according to its byte order mark.
  func inUTF8() -> ImportSource {
    var text: TextEncoding?
    return ImportSource(size: size) {
      while true {
        let bytes = try next()
        if text == nil { text = try TextEncoding(beginning: bytes) }
        let read = text?.read(bytes) ?? []
        // A chunk may hold less than a character.
        if !read.isEmpty || bytes.isEmpty { return read }
      }
    }
  }
}

/// A text's encoding: UTF-8 with or without a byte order mark, or UTF-16 with one.
struct TextEncoding {
  private enum Form { case utf8, littleEndian, bigEndian }

  private let form: Form
  private var mark: Int
  private var rest: [UInt8] = []

  /// - Parameter beginning: the text's first chunk.
  /// - Throws: if it is UTF-16 without a byte order mark.
  init(beginning: [UInt8]) throws {
    if beginning.starts(with: [0xff, 0xfe]) {
      (form, mark) = (.littleEndian, 2)
    } else if beginning.starts(with: [0xfe, 0xff]) {
      (form, mark) = (.bigEndian, 2)
    } else {
      (form, mark) = (.utf8, beginning.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
      try Self.refuseWithoutMark(beginning.prefix(1024))
    }
  }

  /// Throw for UTF-16 without a mark: Latin letters then have a zero byte each, always before or
  /// always after.
  private static func refuseWithoutMark(_ bytes: ArraySlice<UInt8>) throws {
    let zeros = (0...1).map { parity in bytes.indices.count { $0 % 2 == parity && bytes[$0] == 0 } }
    for parity in 0...1 where zeros[parity] * 3 > bytes.count && zeros[1 - parity] * 10 < bytes.count {
      throw ImportError.utf16WithoutMark(isLittleEndian: parity == 1)
    }
  }

  mutating func read(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = bytes.dropFirst(mark)
    mark = 0
    guard form != .utf8 else { return Array(bytes) }
    rest += bytes
    let order = form == .littleEndian ? (low: 0, high: 1) : (low: 1, high: 0)
    var units = stride(from: 0, to: rest.count - 1, by: 2).map { place in
      UInt16(rest[place + order.high]) << 8 | UInt16(rest[place + order.low])
    }
    // Keep the first half of a surrogate pair until the second arrives.
    if let last = units.last, UTF16.isLeadSurrogate(last), !bytes.isEmpty { units.removeLast() }
    rest.removeFirst(units.count * 2)
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

import Foundation

/// Run ids: version 7 UUIDs (RFC 9562), which sort by creation time.
package enum RunIdentifier {
  /// - Parameter random: at least ten random bytes.
  package static func make(at date: Date, random: [UInt8]) -> String {
    precondition(random.count >= 10)
    let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
    bytes += random.prefix(10)
    bytes[6] = 0x70 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// A random UUID (version 4) for a machine, from at least sixteen random bytes.
  package static func machine(random: [UInt8]) -> String {
    precondition(random.count >= 16)
    var bytes = Array(random.prefix(16))
    bytes[6] = 0x40 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// A custom UUID (version 8) from a digest: the same content always gets the same id.
  package static func make(from digest: [UInt8]) -> String {
    precondition(digest.count >= 16)
    var bytes = Array(digest.prefix(16))
    bytes[6] = 0x80 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// Whether the text is a UUID in its usual form.
  package static func isValid(_ text: String) -> Bool { UUID(uuidString: text) != nil }

  private static func text(of bytes: [UInt8]) -> String {
    let hexadecimal = bytes.hexadecimal
    var groups: [Substring] = []
    var rest = Substring(hexadecimal)
    for length in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }
}

extension Sequence<UInt8> {
  /// Hexadecimal text, two lower-case digits per byte.
  package var hexadecimal: String {
    map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

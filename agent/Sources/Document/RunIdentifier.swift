import Foundation

/// Ids of runs: UUIDs of version 7 (RFC 9562), whose order is the order of their making.
package enum RunIdentifier {
  /// - Parameter random: ten random bytes or more.
  package static func make(at date: Date, random: [UInt8]) -> String {
    precondition(random.count >= 10)
    let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
    bytes += random.prefix(10)
    bytes[6] = 0x70 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// A random UUID (version 4) from sixteen random bytes, for machines.
  package static func machine(random: [UInt8]) -> String {
    precondition(random.count >= 16)
    var bytes = Array(random.prefix(16))
    bytes[6] = 0x40 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// A UUID of our own making (version 8) from a digest: the same content always has the same one.
  package static func make(from digest: [UInt8]) -> String {
    precondition(digest.count >= 16)
    var bytes = Array(digest.prefix(16))
    bytes[6] = 0x80 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return text(of: bytes)
  }

  /// Whether a text is a UUID in its usual form.
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
  /// Two lower-case digits a byte.
  package var hexadecimal: String {
    map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

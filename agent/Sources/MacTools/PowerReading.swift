import Base
import Formats

/// Single readings of `powermetrics`; nil if impossible.
package enum Reading {
  /// The text after a label's colon.
  package struct Text {
    package let bytes: UnsafeRawBufferPointer
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The leading number and where it ends, in the plain form that nearly all have ("1293",
    /// "55.11", ".21"). nil for any other form, such as a decimal comma.
    package var number: (value: Double, end: Int)? {
      var place = 0
      while place < bytes.count, bytes[place] == 0x20 { place += 1 }
      var digits = 0
      var whole = 0
      var scale: Int?
      while place < bytes.count {
        let byte = bytes[place]
        if (0x30...0x39).contains(byte), digits < 15 {
          whole = whole * 10 + Int(byte - 0x30)
          digits += 1
          scale? += 1
        } else if byte == UInt8(ascii: "."), scale == nil {
          scale = 0
        } else if byte == 0x20 || byte == UInt8(ascii: "%") || (0x41...0x7a).contains(byte) && byte != UInt8(ascii: "e") {
          break
        } else {
          return nil
        }
        place += 1
      }
      return digits > 0 ? (Double(whole) / Self.powers[scale ?? 0], place) : nil
    }

    /// Exact, so that a quotient is the nearest double, as if its digits were parsed.
    private static let powers: [Double] = (0...15).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }
  }

  /// Parse " 1293 MHz"; 0 is a valid reading here (see Cluster.withoutImpossibleZeros).
  static func hertz(_ text: Text) -> Double? {
    amount(text, units: frequencies, below: 1e11)
  }

  static func activeHertz(_ text: Text) -> Double? {
    hertz(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Parse " 954 mW" as watts.
  static func watts(_ text: Text) -> Double? {
    amount(text, units: powers, below: 1e4)
  }

  private static let frequencies = ["khz": 1e3, "mhz": 1e6, "ghz": 1e9]
  private static let powers = ["uw": 1e-6, "mw": 1e-3, "w": 1]

  private static func amount(_ text: Text, units: [String: Double], below limit: Double) -> Double? {
    let number: Double?
    let unit: String
    if let (value, end) = text.number {
      number = value
      unit = String(decoding: text.bytes[end...].drop { $0 == 0x20 }, as: UTF8.self)
    } else {
      let words = trimmed(text.string)
      let digits = words.prefix { $0.isNumber || $0 == "." || $0 == "," || $0 == "e" || $0 == "+" }
      number = Quantity.number(digits)
      unit = String(words[digits.endIndex...])
    }
    let scale = units[unit.lowercased()] ?? units[trimmed(unit).lowercased()]
    guard let number, let scale else { return nil }
    let value = plain(number * scale)
    return value >= 0 && value < limit ? value : nil
  }

  /// Remove rounding noise from scaling: 0.0588, not 0.058800000000000005.
  static func plain(_ value: Double) -> Double {
    value < 1e6 ? (value * 1e9).rounded() / 1e9 : value.rounded()
  }

  /// Parse a percentage such as "  55.11% (1020 MHz:  39% …)" or " 36" as a share.
  package static func share(_ text: Text) -> Double? {
    if let (value, _) = text.number { return share(percent: value) }
    return share(text.string[...])
  }

  package static func share(_ text: Substring) -> Double? {
    let digits = text.drop { $0.isWhitespace }.prefix { $0.isNumber || $0 == "." || $0 == "," }
    return share(percent: Quantity.number(digits))
  }

  /// Convert to a share. Rounding may take a percentage slightly above 100.
  package static func share(percent: Double?) -> Double? {
    percent.flatMap { (0...100.5).contains($0) ? min(plain($0 / 100), 1) : nil }
  }

  static func word(_ text: Substring) -> String? {
    let word = trimmed(text).lowercased()
    return !word.isEmpty && word.count <= 32 && word.allSatisfy(\.isLetter) ? word : nil
  }
}

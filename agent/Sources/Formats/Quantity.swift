/// Numbers and amounts as macOS prints them in the user's language and region: "41.94 GB", "41,94
/// GB", "16 Go", "16 ГБ", "1 234,5", in any script's digits.
package enum Quantity {
  /// A number with any region's decimal sign; nil for any other text.
  ///
  /// With both a point and a comma, the last one is the decimal sign. A single one before exactly
  /// three digits is ambiguous ("1.234"): a point then counts as the decimal sign, as in the
  /// programs' own output, and a comma as grouping.
  package static func number(_ text: some StringProtocol) -> Double? {
    let groups = text.split { $0.isWhitespace }
    // A space may only separate thousands.
    guard groups.dropFirst().allSatisfy({ $0.prefix { $0.wholeNumberValue != nil }.count == 3 })
    else { return nil }
    var plain = ""
    for character in groups.joined() {
      if let digit = character.wholeNumberValue, digit < 10 {
        plain += String(digit)
      } else if character == "'" || character == "’" || character == "٬" {
        continue
      } else {
        plain.append(character == "٫" ? "," : character)
      }
    }
    return Double(withDecimalPoint(plain)).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func withDecimalPoint(_ text: String) -> String {
    guard let comma = text.lastIndex(of: ",") else { return text }
    if let point = text.lastIndex(of: "."), point > comma {
      return text.filter { $0 != "," }
    }
    let withoutPoints = text.filter { $0 != "." }
    let parts = withoutPoints.split(separator: ",", omittingEmptySubsequences: false)
    let grouped = parts.dropFirst().allSatisfy { $0.count == 3 } && !text.contains(".")
    guard parts.count == 2, !grouped else { return parts.joined() }
    return parts.joined(separator: ".")
  }

  /// "16 GB" of memory, where a GB is 2^30 bytes in every language.
  package static func memory(_ text: String) -> Int? {
    amount(text, base: 1024)
  }

  /// "41,94 GB" of storage, where a GB is 10^9 bytes in every language. Rounded as it is printed.
  package static func storage(_ text: String) -> Int? {
    amount(text, base: 1000)
  }

  private static func amount(_ text: String, base: Double) -> Int? {
    let end = text.lastIndex { $0.wholeNumberValue != nil }
    guard let end, let value = number(text[...end]), value >= 0 else { return nil }
    let unit = text[text.index(after: end)...].drop { $0.isWhitespace }
    guard let power = power(of: unit) else { return nil }
    let bytes = (value * (0..<power).reduce(1.0) { product, _ in product * base }).rounded()
    return bytes < 9e15 ? Int(bytes) : nil
  }

  /// The power of the base that a unit's first letter names, in Latin or Cyrillic script. Besides
  /// "bytes", a unit has two or three letters; anything else is a word.
  private static func power(of unit: Substring) -> Int? {
    let words = unit.split { $0.isWhitespace }
    guard words.count == 1, let word = words.first, let first = word.first else { return nil }
    if ["bytes", "byte", "octets", "b"].contains(word.lowercased()) { return 0 }
    guard (2...3).contains(word.count) else { return nil }
    switch first.lowercased() {
    case "k", "к": return 1
    case "m", "м": return 2
    case "g", "г": return 3
    case "t", "т": return 4
    default: return nil
    }
  }

  /// Parse "40 Gb/s" or "480 Mb/s" as bit/s. nil for "Up to 40 Gb/s", in any language: that is a
  /// port's capability, not a link's rate.
  package static func bitRate(_ text: String) -> Double? {
    let end = text.lastIndex { $0.wholeNumberValue != nil }
    guard let first = text.first(where: { !$0.isWhitespace }), first.wholeNumberValue != nil, let end,
      let value = number(text[...end]), value > 0, value < 1e5
    else { return nil }
    let plain = text[text.index(after: end)...].filter { !$0.isWhitespace }
    let unit = plain.lowercased()
    // "GB/s" means bytes, "GBit/s" bits.
    let isBits = ["b", "б"].contains(plain.dropFirst().first) || unit.dropFirst(2).hasPrefix("it") || unit.dropFirst(2).hasPrefix("ит")
    guard let letter = unit.first, isBits, ["b", "б"].contains(unit.dropFirst().first),
      rateUnits.contains(String(unit.dropFirst(2)))
    else { return nil }
    switch letter {
    case "k", "к": return value * 1e3
    case "m", "м": return value * 1e6
    case "g", "г": return value * 1e9
    case "t", "т": return value * 1e12
    default: return nil
    }
  }

  private static let rateUnits = ["/s", "ps", "it/s", "its/s", "/sec", "it/sec", "/с", "ит/с", "/seg", "/秒", "/초"]

  /// The rate in "Up to 40 Gb/s", in any language, for links known to run at it.
  package static func bitRate(within text: String) -> Double? {
    guard let start = text.firstIndex(where: { $0.wholeNumberValue != nil }) else { return nil }
    return bitRate(String(text[start...]))
  }

  /// The exact count in "251,0 GB (251000193024 Bytes) (exactly …)": the first number in brackets,
  /// with any digit separators.
  package static func bytesInBrackets(_ text: String) -> Int? {
    guard let bracket = text.firstIndex(of: "(") else { return nil }
    var digits = ""
    for character in text[text.index(after: bracket)...] {
      if let digit = character.wholeNumberValue, digit < 10 {
        digits += String(digit)
      } else if digits.isEmpty || !(character.isWhitespace || ".,'’".contains(character)) {
        break
      }
    }
    return Int(digits).flatMap(bytes)
  }

  /// nil above 9 PB, the most that a JSON number holds exactly.
  package static func bytes(_ count: Int) -> Int? { (0...(1 << 53)).contains(count) ? count : nil }
}

/// Yes and no, in Apple's tools' own words and the languages they are known to use.
package enum YesNo {
  private static let yes: Set<String> = [
    "yes", "true", "1", "on", "oui", "ja", "sí", "si", "sì", "sim", "да", "はい", "是", "예", "tak", "evet",
    "spstorage_yes", "activated", "enabled",
  ]
  private static let no: Set<String> = [
    "no", "false", "0", "off", "non", "nein", "nee", "não", "nao", "нет", "いいえ", "否", "아니요", "nie", "hayır",
    "nej", "spstorage_no", "disabled",
  ]

  /// "Yes (Unlocked)" is yes; "Not applicable (no file system)" is neither.
  package static func read(_ text: some StringProtocol) -> Bool? {
    let words = text.split { $0.isWhitespace || $0 == "." || $0 == "(" || $0 == "," }
    guard let first = words.first?.lowercased() else { return nil }
    if yes.contains(first) { return true }
    return no.contains(first) ? false : nil
  }
}

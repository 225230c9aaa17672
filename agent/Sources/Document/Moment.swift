import Foundation

/// Times as other tools write them, if they state the zone: "2026-11-20T10:00:00Z", "2026-11-20
/// 10:00:00 +0100", "Fri Nov 20 10:00:00 2026 +0100", "Fri Nov 20 09:00:00 UTC 2026". A local time
/// without a zone is rejected: it could be a day off. Zone abbreviations are ambiguous; only UTC's
/// are accepted. Any whitespace may separate words: macOS writes "10:00:00\u{202f}AM" in some
/// regions. Kept in UTC, like everything the agent sends: a zone reveals where someone lives.
package enum Moment {
  package static func read(_ text: String?) -> Timestamp? {
    guard let text else { return nil }
    let words = text.split { $0.isWhitespace }.map(String.init)
    guard words.count <= 7, let first = words.first else { return nil }
    return first.first?.isNumber == true ? numeric(words) : spelled(words)
  }

  /// The first and last valid time among these lines or values.
  package static func span(_ texts: [String]) -> (first: Timestamp?, last: Timestamp?) {
    (texts.lazy.compactMap(read).first, texts.reversed().lazy.compactMap(read).first)
  }

  private static func numeric(_ words: [String]) -> Timestamp? {
    let (words, half) = halfOfDay(words)
    let whole = words.joined(separator: " ")
    guard whole.count > 10 else { return nil }
    let day = whole.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let rest = whole.dropFirst(10)
    guard day.count == 3, let year = day[0], let month = day[1], let date = day[2], "T ".contains(rest.prefix(1)) else { return nil }
    let clock = rest.dropFirst().prefix { $0.isNumber || ":.".contains($0) }
    let zone = rest.dropFirst(1 + clock.count).filter { $0 != " " }
    return make((year: year, month: month, date: date), clock: String(clock), half, zone: zone)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func spelled(_ words: [String]) -> Timestamp? {
    let (words, half) = halfOfDay(words)
    return spelled(words, half)
  }

  private static func spelled(_ words: [String], _ half: String?) -> Timestamp? {
    var words = words.first.map(months.contains) == true ? words : Array(words.dropFirst())
    // "21 Nov"
    if words.count > 1, Int(words[0]) != nil { words.swapAt(0, 1) }
    guard words.count == 5, let month = months.firstIndex(of: words[0]), let date = Int(words[1]) else { return nil }
    // The zone comes before or after the year.
    let (year, zone) = Int(words[3]).map { $0 > 1900 } == true ? (words[3], words[4]) : (words[4], words[3])
    return Int(year).flatMap { make((year: $0, month: month + 1, date: date), clock: words[2], half, zone: zone) }
  }

  /// The words without "AM" or "PM", and which one it was.
  private static func halfOfDay(_ words: [String]) -> (rest: [String], half: String?) {
    let isHalf = { (word: String) in ["AM", "PM"].contains(word.uppercased()) }
    return (words.filter { !isHalf($0) }, words.first(where: isHalf)?.uppercased())
  }

  private static func make(
    _ day: (year: Int, month: Int, date: Int), clock: String, _ half: String?, zone: String
  ) -> Timestamp? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let offset = offset(zone), (2...3).contains(parts.count), let hour = hour(parts[0], half), let minute = Int(parts[1]),
      let (second, milliseconds) = seconds(parts.count == 2 ? "0" : parts[2]), (1990...2100).contains(day.year)
    else { return nil }
    let wanted = [day.year, day.month, day.date, hour, minute].map(Int32.init(truncatingIfNeeded:))
    var fields = tm()
    fields.tm_year = wanted[0] - 1900
    (fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min) = (wanted[1] - 1, wanted[2], wanted[3], wanted[4])
    fields.tm_sec = Int32(second)
    var whole = timegm(&fields)
    // Reject a day that the month doesn't have: timegm would move it to the next month.
    gmtime_r(&whole, &fields)
    guard [fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday, fields.tm_hour, fields.tm_min] == wanted else { return nil }
    return Timestamp(milliseconds: (Int(whole) - offset) * 1000 + milliseconds)
  }

  private static func hour(_ text: String, _ half: String?) -> Int? {
    guard let hour = Int(text) else { return nil }
    guard let half else { return hour }
    return (1...12).contains(hour) ? hour % 12 + (half == "PM" ? 12 : 0) : nil
  }

  /// Split "08.882" into 8 and 882. Parses digits, because the fraction as a double would be
  /// inexact.
  private static func seconds(_ text: String) -> (whole: Int, milliseconds: Int)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int(parts[0]), (0..<60).contains(whole) else { return nil }
    guard parts.count == 2 else { return (whole, 0) }
    let digits = parts[1].prefix(3)
    guard !digits.isEmpty, parts[1].allSatisfy({ ("0"..."9").contains($0) }), let fraction = Int(digits) else { return nil }
    return (whole, [0, 100, 10, 1][digits.count] * fraction)
  }

  /// Offset in seconds of "+0100", "+01:00", "+01" or "Z".
  private static func offset(_ zone: String) -> Int? {
    if ["Z", "UTC", "GMT"].contains(zone) { return 0 }
    guard let sign = zone.first, "+-".contains(sign) else { return nil }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard [2, 4].contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }),
      let hours = Int(digits.prefix(2)), hours <= 14, let minutes = Int("0" + digits.dropFirst(2)), minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

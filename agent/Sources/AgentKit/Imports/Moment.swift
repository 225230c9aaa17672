import Foundation

/// A moment as other tools write it, where they say its zone: "2026-11-20T10:00:00Z",
/// "2026-11-20 10:00:00 +0100", "Fri Nov 20 10:00:00 2026 +0100", "Fri Nov 20 09:00:00 UTC 2026". A
/// local time without its zone could be a day off, and is none. Zones by letters mean different things
/// in different places; only UTC's are taken. Kept in UTC, as all that the agent sends: a zone says where
/// somebody lives.
enum Moment {
  static func read(_ text: String?) -> Timestamp? {
    guard let text else { return nil }
    let words = text.split(separator: " ").map(String.init)
    guard words.count <= 6, let first = words.first else { return nil }
    return first.first?.isNumber == true ? numeric(words) : spelled(words)
  }

  /// The first and the last in a text whose lines or values they are.
  static func span(_ texts: [String]) -> (first: Timestamp?, last: Timestamp?) {
    (texts.lazy.compactMap(read).first, texts.reversed().lazy.compactMap(read).first)
  }

  private static func numeric(_ words: [String]) -> Timestamp? {
    let whole = words.joined(separator: " ")
    guard whole.count > 10 else { return nil }
    let day = whole.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let rest = whole.dropFirst(10)
    guard day.count == 3, let year = day[0], let month = day[1], let date = day[2], "T ".contains(rest.prefix(1)) else { return nil }
    let clock = rest.dropFirst().prefix { $0.isNumber || ":.".contains($0) }
    let zone = rest.dropFirst(1 + clock.count).filter { $0 != " " }
    return make(year, month, date, clock: String(clock), zone: zone)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func spelled(_ words: [String]) -> Timestamp? {
    let words = words.first.map(months.contains) == true ? words : Array(words.dropFirst())
    guard words.count == 5, let month = months.firstIndex(of: words[0]), let date = Int(words[1]) else { return nil }
    // Before the year or after it.
    let (year, zone) = Int(words[3]).map { $0 > 1900 } == true ? (words[3], words[4]) : (words[4], words[3])
    return Int(year).flatMap { make($0, month + 1, date, clock: words[2], zone: zone) }
  }

  private static func make(_ year: Int, _ month: Int, _ date: Int, clock: String, zone: String) -> Timestamp? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let offset = offset(zone), (2...3).contains(parts.count), let hour = Int(parts[0]), let minute = Int(parts[1]),
      let second = parts.count == 2 ? 0 : Double(parts[2]), (1990...2100).contains(year), second.isFinite, second < 60
    else { return nil }
    let wanted = [year, month, date, hour, minute].map(Int32.init(truncatingIfNeeded:))
    var fields = tm()
    fields.tm_year = wanted[0] - 1900
    (fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min) = (wanted[1] - 1, wanted[2], wanted[3], wanted[4])
    fields.tm_sec = Int32(second)
    var seconds = timegm(&fields)
    // A day that the month does not have would become another's.
    gmtime_r(&seconds, &fields)
    guard [fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday, fields.tm_hour, fields.tm_min] == wanted else { return nil }
    let fraction = second - second.rounded(.down)
    return Timestamp(Date(timeIntervalSince1970: Double(seconds - offset) + fraction))
  }

  /// Seconds: of "+0100", "+01:00", "+01", "Z".
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

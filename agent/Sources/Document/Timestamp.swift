import Foundation

/// A time as RFC 3339 text. Text read from a document is kept as written.
package struct Timestamp: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// `date` in UTC, truncated to the millisecond: 2026-11-20T10:00:00.250Z. Rounded to microseconds
  /// first, so that a double's .8819999 for .882 doesn't lose a millisecond.
  package init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    self.init(milliseconds: Int((microseconds / 1000).rounded(.down)))
  }

  /// - Parameter milliseconds: since 1970.
  package init(milliseconds: Int) {
    let fraction = ((milliseconds % 1000) + 1000) % 1000
    var seconds = time_t((milliseconds - fraction) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let whole = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
      .map { padded($0, 2) }.joined(separator: "-")
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { padded(Int($0), 2) }.joined(separator: ":")
    rawValue = "\(whole)T\(clock).\(padded(fraction, 3))Z"
  }

  /// Date and minute for tables: 2026-11-20 10:00.
  package var dayAndMinute: String {
    String(rawValue.prefix(16)).replacingOccurrences(of: "T", with: " ")
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

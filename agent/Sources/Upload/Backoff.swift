import Base
import Foundation

/// Exponential back-off: doubling from half a second to half a minute, jittered within the upper
/// half so that many agents don't return at once. A server's Retry-After is honoured; if it exceeds
/// five minutes, give up: a later upload will retry.
struct Backoff {
  static let longestWait = 300.0

  var attempts: Int
  private(set) var made = 0

  init(attempts: Int) { self.attempts = attempts }

  /// Seconds to wait, or nil if no attempt is left.
  /// - Parameter random: uniform in 0..<1.
  mutating func next(retryAfter: Double?, random: Double) -> Double? {
    made += 1
    guard made < attempts, retryAfter ?? 0 <= Self.longestWait else { return nil }
    let ceiling = min(30, 0.5 * Double(1 << min(made, 16)))
    let own = ceiling * (0.5 + random / 2)
    return max(own, retryAfter ?? 0)
  }
}

extension HTTPResponse {
  /// Retry-After in seconds, from either form, capped at one year.
  func retryAfter(now: Date) -> Double? {
    let longest = 366.0 * 86400
    guard let value = headers["retry-after"].map(trimmed) else { return nil }
    if !value.isEmpty, value.allSatisfy(\.isNumber) { return Double(value).map { min(longest, $0) } }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: value).map { min(longest, max(0, $0.timeIntervalSince(now))) }
  }
}

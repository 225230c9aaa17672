import Base
import Document
import Foundation

/// Bytes that runs planned to write on this machine, by week. Counted when a run starts, so killed
/// runs count too; a run stopped early counts in full.
package struct WrittenBytes {
  package let state: StateDirectory

  package init(state: StateDirectory) {
    self.state = state
  }

  package struct Week: Codable, Equatable {
    /// Monday of the week in UTC: 2026-11-16.
    package let monday: String
    package var bytes: Int
  }

  private static let weeksKept = 104

  /// Oldest first.
  package func weeks() throws -> [Week] {
    try DurableFile.decoded(
      path, remedy: "It says how much runs have written. Restore it from a backup, or delete it to count from zero.") ?? []
  }

  package func inWeek(of now: Date) throws -> Int {
    try weeks().first { $0.monday == Self.monday(of: now) }?.bytes ?? 0
  }

  package func add(_ bytes: Int, at now: Date) throws {
    guard bytes > 0 else { return }
    let monday = Self.monday(of: now)
    var weeks = try self.weeks()
    if let index = weeks.firstIndex(where: { $0.monday == monday }) {
      weeks[index].bytes += bytes
    } else {
      weeks.append(Week(monday: monday, bytes: bytes))
      weeks.sort { $0.monday < $1.monday }
    }
    try DurableFile.write(try JSONEncoder().encode(Array(weeks.suffix(Self.weeksKept))), to: path)
  }

  /// The Monday of that week; 1 January 1970 was a Thursday.
  package static func monday(of date: Date) -> String {
    let day = Int((date.timeIntervalSince1970 / 86400).rounded(.down))
    let monday = day - (((day + 3) % 7) + 7) % 7
    return String(Timestamp(Date(timeIntervalSince1970: Double(monday) * 86400)).rawValue.prefix(10))
  }

  private var path: String { state.path("written.json") }
}

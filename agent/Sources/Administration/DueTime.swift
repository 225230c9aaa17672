import Base
import Document
import Foundation
import LocalState

/// When the managed job, which looks every day, is to measure. It remembers a time, and a run is due
/// once the machine's own moment has passed since: at first the day before its first look, later
/// when it last measured. So a profile that reaches a whole fleet at once doesn't start all of it.
package struct DueTime {
  private let state: StateDirectory
  private let moment: Schedule.Moment
  private let calendar: Calendar

  package init(state: StateDirectory, moment: Schedule.Moment, calendar: Calendar = .current) {
    self.state = state
    self.moment = moment
    self.calendar = calendar
  }

  package func isDue(_ interval: Schedule.Interval, at now: Date) throws -> Bool {
    let latest = moment.latest(interval, at: now, calendar)
    if let since = try remembered(), since <= now { return latest > since }
    // Nothing is remembered yet, or the clock was set back.
    let yesterday = now - 86400
    try remember(yesterday)
    return latest > yesterday
  }

  package func remembered() throws -> Date? {
    let kept: [Double]? = try DurableFile.decoded(
      path, remedy: "It says when this machine last measured by itself. Delete it: the machine then waits for its next day.")
    return kept?.first.map(Date.init(timeIntervalSince1970:))
  }

  /// - Parameter time: nil if nothing is asked for any more.
  package func remember(_ time: Date?) throws {
    guard let time else { return _ = unlink(path) }
    try DurableFile.write(try JSONEncoder().encode([time.timeIntervalSince1970]), to: path)
  }

  private var path: String { state.path("scheduled.json") }
}

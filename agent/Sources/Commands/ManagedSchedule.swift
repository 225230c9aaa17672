import Administration
import Base
import Document
import LocalState

/// Scheduled runs as an administrator wants them. The job only looks, once a day; the preferences of
/// that day say what is measured.
struct ManagedSchedule {
  private let preferences: Preferences
  private let session: Session

  init(_ preferences: Preferences, _ world: World) throws {
    self.preferences = preferences
    session = try Session(world)
  }

  private var world: World { session.world }
  private var moment: Schedule.Moment { Schedule.Moment(machineID: session.identity.machineID) }

  /// The daily job.
  func schedule() throws -> Schedule {
    Schedule(
      interval: .day, command: [try ProgramFile.path(world), "schedule", "--due"],
      environment: ["MACMETER_HOME": session.state.path], moment: moment)
  }

  /// Say what the preferences ask for now, and what that costs.
  func announce() throws {
    world.terminal.say("The preferences are read \(moment.words(.day)).")
    guard let interval = preferences.schedule else {
      world.terminal.say("They don't ask for any runs yet.")
      return
    }
    let quick = preferences.quick ? ", quick" : ""
    world.terminal.say("They ask for runs \(moment.words(interval)): \(suites)\(quick).")
    let planned = try planned()
    guard !planned.isEmpty else { return world.terminal.say(nothing) }
    world.terminal.say(Announcement.line(of: planned, interval, session))
    if let limit = preferences.bytesPerWeek {
      world.terminal.say("They allow \(Figures.bytes(limit)) a week; a run that would exceed this is skipped.")
    }
  }

  func measureIfDue() throws -> ExitCode {
    let time = DueTime(state: session.state, moment: moment)
    guard let interval = preferences.schedule else {
      world.terminal.say("The preferences don't ask for a schedule.")
      try time.remember(nil)
      return .success
    }
    let now = world.wallClock()
    guard try time.isDue(interval, at: now) else {
      world.terminal.say("Not due: this machine measures \(moment.words(interval)).")
      return .success
    }
    let planned = try planned()
    guard !planned.isEmpty else {
      world.terminal.say(nothing)
      return .notPossibleHere
    }
    let before = try time.remembered()
    // Remembered first: a run that ends the program is not repeated every day.
    try time.remember(now)
    let code = try Measuring.run(
      planned, Invocation([], for: AllCommand.command), world, carriesOn: true)
    if ExitCode.tryTomorrow.contains(code) { try time.remember(before) }
    return code
  }

  private var nothing: String { "This machine can't measure any of these: \(suites)." }
  private var suites: String { preferences.suites.joined(separator: ", ") }

  private func planned() throws -> [PlannedRun] {
    try AllCommand.plan(preferences.suites, session.state.path, isQuick: preferences.quick, world)
  }
}

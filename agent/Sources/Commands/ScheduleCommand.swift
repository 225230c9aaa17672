import Administration
import Base
import Document
import LocalState
import Machine

enum ScheduleCommand {
  private static let suites = Schedule.suites
  private static let suitesWithoutPath = ["cores", "power"]

  static let command = Command(
    name: "schedule", abstract: "Measure automatically every day or week",
    otherNames: ["cron", "daemon", "service"],
    options: [
      Option(name: "every", value: "day|week", help: "how often (default: as the preferences say, or every week)"),
      Option(name: "suite", value: "SUITE", help: "what to measure: \(suites.joined(separator: ", ")) (default: disk)"),
      Option(name: "quick", help: "run the suite's smoke test, which writes little"),
      Option(name: "path", value: "PATH", help: "the directory to measure (default: the agent's own)"),
      Option(name: "show", help: "show the schedule, or the one that other options describe, without changing it"),
      Option(name: "remove", help: "remove the schedule"),
      Option(name: "as-managed", help: "look at the preferences every day, and measure what they ask for"),
      Option(name: "due", help: "measure what the preferences ask for, if it is due; the job of --as-managed"),
    ],
    discussion: """
      Adds a job to launchd on macOS (a LaunchDaemon for root, otherwise a LaunchAgent) or a systemd timer
      on Linux. Each machine has its own time, so that a fleet does not upload all at once. If free space,
      the battery, a backup or the weekly limit prevents a run, it is skipped until next time.

      With --as-managed, the job reads the preferences every day, so that a profile takes effect whenever it
      comes, changes or goes. Weekly runs stay on the machine's own day; one that is skipped is tried again
      the next day.
      """
  ) { invocation, world in
    let preferences = try Preferences.read(world)
    if invocation.has("due") { return try ManagedSchedule(preferences, world).measureIfDue() }
    let job = try ScheduledJob.here(world)
    if invocation.has("remove") { return try remove(job, preferences, world.terminal) }
    let describesOnly = invocation.has("show")
    if describesOnly, ["every", "suite", "quick", "path", "as-managed"].allSatisfy({ !invocation.has($0) }) {
      return show(job, world)
    }
    if invocation.has("as-managed") {
      guard describesOnly || preferences.schedule != nil || !job.exists || job.runs("--due") else {
        world.terminal.say("The preferences don't ask for a schedule. This machine keeps the one that it has.")
        return .success
      }
      let managed = try ManagedSchedule(preferences, world)
      try managed.announce()
      if describesOnly { return try describe(managed.schedule(), job, world.terminal) }
      try job.install(managed.schedule())
      return .success
    }
    for (option, name) in [("every", "schedule"), ("suite", "suites"), ("quick", "quick")]
    where invocation.has(option) {
      try preferences.refuse(option, against: name)
    }
    let session = try Session(world)
    let (schedule, planned) = try schedule(invocation, preferences, session)
    world.terminal.say(Announcement.line(of: planned, schedule.interval, session))
    if describesOnly { return describe(schedule, job, world.terminal) }
    try job.install(schedule)
    world.terminal.say(
      "Scheduled \(schedule.moment.words(schedule.interval)): macmeter \(schedule.command.dropFirst().joined(separator: " "))")
    world.terminal.say("To stop, run `macmeter schedule --remove`.")
    return .success
  }

  private static func schedule(
    _ invocation: Invocation, _ preferences: Preferences, _ session: Session
  ) throws -> (Schedule, [PlannedRun]) {
    let world = session.world
    var interval = preferences.schedule ?? .week
    if let text = invocation.text("every") {
      guard let chosen = Schedule.Interval(rawValue: text) else { throw UsageError("--every takes day or week") }
      interval = chosen
    }
    let suite = invocation.text("suite") ?? "disk"
    guard suites.contains(suite) else {
      throw UsageError("--suite takes one of \(suites.joined(separator: ", "))")
    }
    var command = [try ProgramFile.path(world), suite]
    if suite == "power", let obstacle = PowerAccess.obstacle(MachineFacts.read(world), world) {
      throw UsageError("--suite power can't measure anything here: \(obstacle.words)")
    }
    let path = try InfoCommand.directory(invocation.text("path") ?? session.state.path, world)
    if !suitesWithoutPath.contains(suite) {
      command.append(path)
    } else if invocation.has("path") {
      throw UsageError("--path can't be used with --suite \(suite), which measures no storage")
    }
    if invocation.has("quick") { command.append("--quick") }
    let schedule = Schedule(
      interval: interval, command: command, environment: ["MACMETER_HOME": session.state.path],
      moment: Schedule.Moment(machineID: session.identity.machineID))
    return (schedule, try AllCommand.plan([suite], path, isQuick: invocation.has("quick"), world))
  }

  private static func describe(_ schedule: Schedule, _ job: ScheduledJob, _ terminal: Terminal) -> ExitCode {
    for file in job.scheduler.files(schedule) { terminal.print("# \(file.path)\n\(file.text)") }
    return .success
  }

  private static func show(_ job: ScheduledJob, _ world: World) -> ExitCode {
    guard job.exists else {
      world.terminal.say("Nothing is scheduled.")
      return .success
    }
    for path in job.scheduler.paths {
      world.terminal.print("# \(path)\n\(world.readText(path) ?? "")")
    }
    return .success
  }

  private static func remove(
    _ job: ScheduledJob, _ preferences: Preferences, _ terminal: Terminal
  ) throws -> ExitCode {
    try preferences.refuse("remove", against: "schedule")
    guard job.exists else {
      terminal.say("Nothing is scheduled.")
      return .success
    }
    try job.remove()
    terminal.say("Removed. Nothing is measured automatically any more.")
    return .success
  }
}

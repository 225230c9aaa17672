import Administration
import Base
import Document
import LocalState
import Machine

enum ScheduleCommand {
  /// What can be measured unattended.
  private static let suites = ["disk", "hash", "compress", "cores", "power", "all"]
  private static let suitesWithoutPath = ["cores", "power"]

  static let command = Command(
    name: "schedule", abstract: "Measure every day or week, by itself",
    options: [
      Option(name: "every", value: "day|week", help: "how often (as the preferences say, else every week)"),
      Option(name: "suite", value: "SUITE", help: "what to measure: \(suites.joined(separator: ", ")) (disk unless told)"),
      Option(name: "quick", help: "the suite's quick form, which writes little"),
      Option(name: "path", value: "PATH", help: "the directory to measure (the agent's own unless told)"),
      Option(name: "show", help: "show what is scheduled, or with other options what would be, and change nothing"),
      Option(name: "remove", help: "measure by itself no longer"),
      Option(name: "as-managed", help: "schedule what the managed preferences ask for, if they do"),
    ],
    discussion: """
      Hands the system's scheduler a job: launchd on macOS (a LaunchDaemon for root, else a
      LaunchAgent), a systemd timer on Linux. The hour is this machine's own, so that a fleet does not
      upload at once. A run that the owner's drive or battery speaks against waits for the next time.
      """
  ) { invocation, world in
    let preferences = try Preferences.read(world)
    let job = try ScheduledJob.here(world)
    if invocation.has("remove") { return try remove(job, preferences, world.terminal) }
    let describesOnly = invocation.has("show")
    if describesOnly, ["every", "suite", "quick", "path"].allSatisfy({ !invocation.has($0) }) {
      return show(job, world)
    }
    if invocation.has("as-managed"), preferences.schedule == nil {
      world.terminal.say("The preferences ask for no schedule.")
      return .success
    }
    if invocation.has("every") { try preferences.refuse("every", against: "schedule") }
    let schedule = try schedule(invocation, preferences, world)
    if describesOnly {
      for file in job.scheduler.files(schedule) { world.terminal.print("# \(file.path)\n\(file.text)") }
      return .success
    }
    try job.install(schedule)
    world.terminal.say(
      "Scheduled \(schedule.moment.words(schedule.interval)): macmeter \(schedule.command.dropFirst().joined(separator: " "))")
    world.terminal.say("`macmeter schedule --remove` ends it.")
    return .success
  }

  private static func schedule(
    _ invocation: Invocation, _ preferences: Preferences, _ world: World
  ) throws -> Schedule {
    let session = try Session(world)
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
      throw UsageError("--suite power would measure nothing here: \(obstacle.words)")
    }
    if !suitesWithoutPath.contains(suite) {
      command.append(try InfoCommand.directory(invocation.text("path") ?? session.state.path, world))
    } else if invocation.has("path") {
      throw UsageError("--path does not go with --suite \(suite), which measures no storage")
    }
    if invocation.has("quick") { command.append("--quick") }
    return Schedule(
      interval: interval, command: command, environment: ["MACMETER_HOME": session.state.path],
      moment: Schedule.Moment(machineID: session.identity.machineID))
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
    terminal.say("Removed. Nothing is measured by itself any longer.")
    return .success
  }
}

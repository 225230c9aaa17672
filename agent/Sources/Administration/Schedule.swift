import Base
import Document
import Foundation

/// When a machine measures by itself, and what.
package struct Schedule: Equatable, Sendable {
  package enum Interval: String, CaseIterable, Sendable {
    case day, week

    package var runsPerWeek: Int { self == .day ? 7 : 1 }
  }

  /// Suites that can run unattended; "all" is every one that the machine supports.
  package static let suites = ["disk", "hash", "compress", "cores", "power", "all"]

  package let interval: Interval
  /// The program and its arguments.
  package let command: [String]
  /// The agent's environment; a job started by the system wouldn't inherit it.
  package let environment: [String: String]
  package let moment: Moment

  package init(interval: Interval, command: [String], environment: [String: String], moment: Moment) {
    self.interval = interval
    self.command = command
    self.environment = environment
    self.moment = moment
  }

  /// A time of the week specific to this machine: if a whole fleet started together, it would
  /// upload together.
  package struct Moment: Equatable, Sendable {
    /// 0 is Sunday.
    let weekday: Int
    let hour: Int
    let minute: Int

    /// Derived from the id, so stable for a machine and evenly spread over a fleet.
    package init(machineID: String) {
      let digest = SHA256.digest(of: Array("schedule \(machineID)".utf8))
      let number = digest.prefix(6).reduce(0) { $0 << 8 | Int($1) }
      let minuteOfWeek = number % (7 * 24 * 60)
      weekday = minuteOfWeek / (24 * 60)
      hour = minuteOfWeek / 60 % 24
      minute = minuteOfWeek % 60
    }

    package func words(_ interval: Interval) -> String {
      let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
      let day = interval == .week ? "every \(days[weekday])" : "every day"
      return "\(day) at \(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
    }

    /// The last time until `now` at which a run of this machine was to start.
    func latest(_ interval: Interval, at now: Date, _ calendar: Calendar) -> Date {
      var parts = DateComponents(hour: hour, minute: minute)
      if interval == .week { parts.weekday = weekday + 1 }
      return calendar.nextDate(
        after: now + 1, matching: parts, matchingPolicy: .nextTime, direction: .backward) ?? .distantPast
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }
}

/// The system's scheduler: the files that define a job, and the commands that load it.
package protocol Scheduler {
  /// Path and content of each file of the job.
  func files(_ schedule: Schedule) -> [(path: String, text: String)]
  var paths: [String] { get }
  /// A user's own directories that may have been created for the files, innermost first.
  var folders: [String] { get }
  /// Commands to run after the files are written.
  var load: [[String]] { get }
  /// Commands to run before the files are removed; they may fail if nothing was loaded.
  var unload: [[String]] { get }
  /// Commands to run after the files are removed.
  var forget: [[String]] { get }
  /// A command that succeeds while the job is loaded; nil if `unload` ends no run and is complete
  /// when it returns.
  var loaded: [String]? { get }
  /// A command that succeeds if a job could be loaded now, and the error to show otherwise.
  var session: (command: [String], failure: String, remedy: String)? { get }
}

/// A job to write, load and remove. A job that can't be loaded leaves nothing behind.
package struct ScheduledJob {
  package let scheduler: any Scheduler
  package let world: World

  /// Root's job belongs to the machine, anyone else's to their session.
  package static func here(_ world: World, isRoot: Bool = geteuid() == 0) throws -> ScheduledJob {
    let home = world.environment["HOME"] ?? ""
    guard isRoot || !home.isEmpty else { throw StateError("no home directory: set HOME") }
    if world.system == .macOS {
      return ScheduledJob(scheduler: Launchd(home: isRoot ? nil : home, user: getuid()), world: world)
    }
    let configuration = world.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return ScheduledJob(
      scheduler: Systemd(configuration: isRoot ? nil : configuration ?? home + "/.config"), world: world)
  }

  package var exists: Bool { scheduler.paths.contains { access($0, F_OK) == 0 } }

  /// Whether the job that is there starts the program with this argument.
  package func runs(_ argument: String) -> Bool {
    scheduler.paths.contains { world.readText($0)?.contains(argument) == true }
  }

  package func install(_ schedule: Schedule) throws {
    let files = scheduler.files(schedule)
    // Loading the same job again would end a run in progress.
    if isLoaded, files.allSatisfy({ world.readText($0.path) == $0.text }) { return }
    if let session = scheduler.session, !succeeds(session.command) {
      throw StateError("nothing was scheduled: \(session.failure)", remedy: session.remedy)
    }
    let replaces = exists
    if replaces { unload() }
    do {
      for file in files {
        let folder = (file.path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try DurableFile.write(Data(file.text.utf8), to: file.path)
        // The system's scheduler reads the files as another user; nothing in them is secret.
        chmod(file.path, 0o644)
      }
      for command in scheduler.load { try run(command) }
    } catch {
      // Keep an existing schedule: its new file is read at the next boot.
      if !replaces { try? remove() }
      throw error
    }
  }

  package func remove() throws {
    unload()
    for path in scheduler.paths where unlink(path) != 0 && errno != ENOENT {
      throw StateError.system("remove", path)
    }
    for folder in scheduler.folders { rmdir(folder) }  // only if it is empty
    for command in scheduler.forget { _ = world.run(command[0], Array(command.dropFirst()), nil) }
  }

  private var isLoaded: Bool { scheduler.loaded.map(succeeds) ?? false }

  private func succeeds(_ command: [String]) -> Bool {
    world.run(command[0], Array(command.dropFirst()), nil)?.status == 0
  }

  /// Unload, and return when the job is gone. launchctl returns earlier: until the job's run has
  /// ended, launchd refuses another job with that name.
  private func unload() {
    for command in scheduler.unload { _ = succeeds(command) }
    for _ in 0..<(4 * Self.patience) where isLoaded && !world.interrupted() { world.sleep(0.25) }
  }

  /// In seconds: launchd kills a run that hasn't ended after 20 s.
  private static let patience = 25

  /// Run a command, with retries: launchd refuses a job for some seconds after one with the same
  /// name.
  private func run(_ command: [String]) throws {
    let words = command.joined(separator: " ")
    var last: ToolResult?
    for attempt in 1...(scheduler.loaded == nil ? 1 : Self.patience) {
      if attempt > 1 { world.sleep(1) }
      guard let result = world.run(command[0], Array(command.dropFirst()), nil) else {
        throw StateError("nothing was scheduled: this system has no \(command[0])")
      }
      last = result
      if result.status == 0 || world.interrupted() { break }
    }
    guard let result = last, result.status != 0 else { return }
    let complaint = trimmed(result.errors.split(separator: "\n").last ?? "")
    throw StateError("nothing was scheduled: `\(words)` failed (\(result.status)): \(complaint)")
  }
}

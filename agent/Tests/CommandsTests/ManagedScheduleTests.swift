import Foundation
import TestSupport
import Testing

@testable import Administration
@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState
@testable import Machine

@Suite struct ManagedScheduleTests {
  let home: TemporaryDirectory
  let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  private var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    return calendar
  }

  private func dueTime(_ machine: String) throws -> DueTime {
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/" + machine])
    return DueTime(state: state, moment: Schedule.Moment(machineID: machine), calendar: utc)
  }

  /// Days on which this machine measures, of `days` that it looks on at its own time.
  private func measured(_ machine: String, _ interval: Schedule.Interval, days: Range<Int>) throws -> [Int] {
    let time = try dueTime(machine)
    let moment = Schedule.Moment(machineID: machine)
    return try days.filter { day in
      // The system starts jobs some seconds late.
      let now = Date(timeIntervalSince1970: Double(1_792_281_600 + (day * 24 * 60 + moment.hour * 60 + moment.minute) * 60 + 5))
      guard try time.isDue(interval, at: now) else { return false }
      try time.remember(now)
      return true
    }
  }

  @Test("a profile that reaches a whole fleet at once starts a seventh of it each day, and then each weekly")
  func spread() throws {
    let machines = (0..<140).map { "machine \($0)" }
    var first: [Int: Int] = [:]
    for machine in machines {
      let days = try measured(machine, .week, days: 0..<28)
      #expect(days.count == 4 && zip(days, days.dropFirst()).allSatisfy { $1 - $0 == 7 }, "\(machine): \(days)")
      first[days[0], default: 0] += 1
    }
    for day in 0..<7 { #expect((8...36).contains(first[day] ?? 0), "day \(day): \(first)") }
    #expect(try measured("daily", .day, days: 0..<5) == [0, 1, 2, 3, 4])
  }

  @Test("a machine that was asleep on its day measures at its next look, and keeps its day")
  func asleep() throws {
    let own = try #require(try measured("laptop", .week, days: 0..<7).first)
    #expect(try measured("laptop", .week, days: (own + 8)..<(own + 16)) == [own + 8, own + 14])
    // A clock that ran ahead doesn't keep it from measuring for years.
    try dueTime("laptop").remember(Date(timeIntervalSince1970: 4e9))
    #expect(try measured("laptop", .week, days: 30..<37).count == 1)
  }

  private func world(_ preferences: String? = nil) -> World {
    var world = World.real(
      ["MACMETER_HOME": home.path + "/state", "HOME": home.path, "MACMETER_PROGRAM": "/bin/sh"],
      transcript: transcript)
    let (list, readText) = (world.list, world.readText)
    world.run = { _, _, _ in ToolResult(status: 0, output: Data(), errors: "") }
    world.list = { $0 == "/etc/macmeter" ? (preferences == nil ? [] : ["preferences.json"]) : list($0) }
    world.readText = { $0 == "/etc/macmeter/preferences.json" ? preferences : readText($0) }
    return world
  }

  @Test("a profile that comes later takes effect without another installation, and one that goes ends it")
  func later() throws {
    let own = try Session(world())
    let time = DueTime(state: own.state, moment: Schedule.Moment(machineID: own.identity.machineID))
    #expect(Agent.run(["schedule", "--due"], in: world()) == .success)
    #expect(transcript.said.contains("don't ask for a schedule"))
    try time.remember(Date(timeIntervalSince1970: 0))
    let asks = #"{"schedule": "week", "suites": ["cores"], "quick": true}"#
    #expect(Agent.run(["schedule", "--due"], in: world(asks)) != .usage)
    #expect(transcript.said.contains("cores"))
    #expect(try #require(try time.remembered()) > Date(timeIntervalSinceNow: -600))
    #expect(Agent.run(["schedule", "--due"], in: world(asks)) == .success)
    #expect(transcript.said.contains("Not due: this machine measures every "))
    #expect(Agent.run(["schedule", "--due"], in: world()) == .success)
    #expect(try time.remembered() == nil)
  }

  @Test("what the limit or the battery prevents is tried again the next day")
  func prevented() throws {
    let own = try Session(world())
    let time = DueTime(state: own.state, moment: Schedule.Moment(machineID: own.identity.machineID))
    try time.remember(Date(timeIntervalSince1970: 7))
    let asks = #"{"schedule": "week", "quick": true, "bytes_per_week": 1000}"#
    #expect(Agent.run(["schedule", "--due"], in: world(asks)) == .limitReached, "\(transcript.said)")
    #expect(try time.remembered() == Date(timeIntervalSince1970: 7))
  }

  @Test("what a week costs is said before anything is scheduled")
  func announced() {
    let asks = #"{"schedule": "day", "suites": ["disk", "cores"], "quick": true, "bytes_per_week": "60GB"}"#
    #expect(Agent.run(["schedule", "--as-managed", "--show"], in: world(asks)) == .success)
    #expect(transcript.printed.contains("--due"))
    #expect(transcript.said.contains("disk, cores, quick."))
    #expect(transcript.said.contains("Each week this writes "))
    #expect(transcript.said.contains("They allow 60 GB a week"))
  }

  @Test("what a machine can't measure has no cost")
  func impossible() {
    // Only a Mac's root can sample power.
    let asks = #"{"schedule": "week", "suites": ["power"]}"#
    #expect(Agent.run(["schedule", "--as-managed", "--show"], in: world(asks)) == .success)
    #expect(transcript.said.contains("This machine can't measure any of these: power."))
    #expect(!transcript.said.contains("Each week"))
  }

  @Test("the package's job is not confused with one that somebody made by hand, which it leaves alone")
  func handmade() throws {
    let job = ScheduledJob(scheduler: Systemd(configuration: home.path + "/config"), world: world())
    let managed = try ManagedSchedule(Preferences(), world()).schedule()
    #expect(!job.runs("--due"))
    try job.install(Schedule(interval: .week, command: ["macmeter", "disk", "/"], environment: [:], moment: managed.moment))
    #expect(!job.runs("--due"))
    try job.install(managed)
    #expect(job.runs("--due"))
  }

  private struct Cost: Codable, Equatable {
    let bytes: Int
    /// nil where it depends on the chip, so that the agent measures its pace first.
    let seconds: Int?
  }

  @Test("the settings page names what the agent's own plans cost; MACMETER_RENEW=1 rewrites that")
  func costs() throws {
    let file = repository.appendingPathComponent("frontend/src/api/suiteCosts.json")
    let mac = SimulatedMacTests.folder.appendingPathComponent("mac-mini-m4-pro")
    let world = try World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
      .replaying(Replay(directory: mac.path))
    let facts = MachineFacts.read(world)
    let session = try Session(world)
    func cost(_ suite: String, isQuick: Bool) throws -> Cost {
      // Only a Mac's root can plan to sample power.
      let planned = suite == "power"
        ? [try PowerCommand.plan(Invocation(isQuick ? ["--quick"] : [], for: PowerCommand.command), facts)]
        : try AllCommand.plan([suite], home.path, isQuick: isQuick, world)
      let targets = Announcement.targets(of: planned, facts, session)
      #expect(targets.values.allSatisfy { $0.storage == .internal })
      let (bytes, seconds) = Announcement.cost(planned, targets)
      return Cost(bytes: bytes, seconds: suite == "compress" ? nil : Int(seconds.rounded()))
    }
    let suites = Schedule.suites.filter { $0 != "all" }
    let costs = try Dictionary(uniqueKeysWithValues: suites.map { suite in
      (suite, ["full": try cost(suite, isQuick: false), "quick": try cost(suite, isQuick: true)])
    })
    if ProcessInfo.processInfo.environment["MACMETER_RENEW"] == "1" {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(costs).write(to: file)
    }
    #expect(try JSONDecoder().decode([String: [String: Cost]].self, from: Data(contentsOf: file)) == costs)
  }
}

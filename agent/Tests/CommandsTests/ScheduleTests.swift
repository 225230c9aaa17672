import Foundation
import TestSupport
import Testing

@testable import Administration
@testable import Base
@testable import Commands
@testable import Document

@Suite struct ScheduleTests {
  let home: TemporaryDirectory
  let transcript = Transcript()
  let id = "0193a2b4-5c6d-4e8f-9a0b-1c2d3e4f5a6b"

  init() throws { home = try TemporaryDirectory() }

  /// Recorder of commands that fails those a test selects.
  private final class Commands: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    var failing = ""
    /// How often launchd still has the job, or refuses another one, after bootout.
    var lingering = 0
    var hasSession = true
    private var isLoaded = false
    var all: [String] { lock.withLock { lines } }
    func run(_ tool: String, _ arguments: [String]) -> ToolResult? {
      let line = ([tool] + arguments).joined(separator: " ")
      return lock.withLock {
        if tool == "launchctl", arguments.first == "print" {
          if arguments[1].hasPrefix("gui/"), !arguments[1].hasSuffix(Launchd.label) { return answer(hasSession) }
          if !isLoaded, lingering > 0 {
            lingering -= 1
            return answer(true)
          }
          return answer(isLoaded)
        }
        lines.append(line)
        if !failing.isEmpty, line.contains(failing) { return ToolResult(status: 5, output: Data(), errors: "no bus\n") }
        if arguments.first == "bootout" { isLoaded = false }
        if arguments.first == "bootstrap" {
          guard !isLoaded, lingering == 0 else {
            return ToolResult(status: 5, output: Data(), errors: "Bootstrap failed: 5: Input/output error\n")
          }
          isLoaded = true
        }
        return answer(true)
      }
    }

    private func answer(_ isGood: Bool) -> ToolResult { ToolResult(status: isGood ? 0 : 113, output: Data(), errors: "") }
  }

  private func world(_ commands: Commands) -> World {
    var world = World.real(
      ["MACMETER_HOME": home.path + "/state", "HOME": home.path, "MACMETER_PROGRAM": "/bin/sh"],
      transcript: transcript)
    world.run = { tool, arguments, _ in commands.run(tool, arguments) }
    world.sleep = { _ in }
    return world
  }

  private func schedule(_ interval: Schedule.Interval, words: [String] = []) -> Schedule {
    Schedule(
      interval: interval, command: ["/usr/local/bin/macmeter", "disk", "/Volumes/A & B"] + words,
      environment: ["MACMETER_HOME": "/x <y>"], moment: Schedule.Moment(machineID: id))
  }

  @Test("launchd's job says what, when and as what")
  func launchd() throws {
    for (home, path) in [(nil, "/Library/LaunchDaemons/"), ("/Users/jane", "/Users/jane/Library/LaunchAgents/")] {
      let job = Launchd(home: home, user: 501)
      let file = try #require(job.files(schedule(.week)).first)
      #expect(file.path == path + "org.macmeter.agent.plist")
      let list = try PropertyListSerialization.propertyList(from: Data(file.text.utf8), format: nil) as? [String: Any]
      #expect(list?["Label"] as? String == "org.macmeter.agent")
      #expect(list?["ProgramArguments"] as? [String] == ["/usr/local/bin/macmeter", "disk", "/Volumes/A & B"])
      #expect(list?["EnvironmentVariables"] as? [String: String] == ["MACMETER_HOME": "/x <y>"])
      #expect(list?["ProcessType"] as? String == "Interactive")
      #expect(list?["StandardErrorPath"] as? String == "/x <y>/schedule.log")
      let when = try #require(list?["StartCalendarInterval"] as? [String: Int])
      let moment = Schedule.Moment(machineID: id)
      #expect(when == ["Weekday": moment.weekday, "Hour": moment.hour, "Minute": moment.minute])
    }
    let daily = try #require(Launchd(home: nil, user: 0).files(schedule(.day)).first).text
    #expect(!daily.contains("Weekday"))
    #expect(Launchd(home: nil, user: 0).load == [["launchctl", "bootstrap", "system", "/Library/LaunchDaemons/org.macmeter.agent.plist"]])
    #expect(Launchd(home: "/Users/jane", user: 501).unload == [["launchctl", "bootout", "gui/501/org.macmeter.agent"]])
  }

  @Test("systemd takes the service and the timer, whatever is in a path")
  func systemd() throws {
    let job = Systemd(configuration: home.path)
    for interval in Schedule.Interval.allCases {
      let files = job.files(schedule(interval, words: [#"100% "o$k" \x"#]))
      #expect(files.map(\.path) == job.paths)
      let joined = files.map(\.text).joined()
      #expect(joined.contains(#""100%% \"o$$k\" \\x""#))
      #expect(joined.contains("RandomizedDelaySec="))
      for (name, text) in zip(["macmeter.service", "macmeter.timer"], files.map(\.text)) {
        // The program need not exist for the rest to be checked.
        _ = try home.write(text.replacingOccurrences(of: "/usr/local/bin/macmeter", with: "/bin/sh"), to: name)
      }
      let world = World.live()
      guard let verdict = world.run("systemd-analyze", ["verify", "--man=no", home.path + "/macmeter.timer"], nil) else {
        print("systemd-analyze is not here: the units were not verified")
        continue
      }
      #expect(verdict.status == 0, "\(verdict.errors)")
      #expect(!verdict.errors.contains(home.path), "\(verdict.errors)")
    }
    #expect(Systemd(configuration: nil).paths[0] == "/etc/systemd/system/macmeter.service")
    #expect(job.load.last == ["systemctl", "--user", "enable", "--now", "macmeter.timer"])
  }

  @Test("moments are each machine's own, and spread over the week")
  func spread() {
    let moments = (0..<700).map { Schedule.Moment(machineID: "machine \($0)") }
    for day in 0..<7 { #expect((60...140).contains(moments.count { $0.weekday == day })) }
    #expect(Set(moments.map { $0.hour * 60 + $0.minute }).count > 400)
    #expect(moments.allSatisfy { (0..<24).contains($0.hour) && (0..<60).contains($0.minute) })
    #expect(Schedule.Moment(machineID: id) == Schedule.Moment(machineID: id))
  }

  @Test("a job is written and loaded, rewritten, and removed without a trace")
  func roundTrip() throws {
    let commands = Commands()
    let job = ScheduledJob(scheduler: Systemd(configuration: home.path + "/config"), world: world(commands))
    #expect(!job.exists)
    try job.install(schedule(.day))
    #expect(job.exists)
    #expect(commands.all == ["systemctl --user daemon-reload", "systemctl --user enable --now macmeter.timer"])
    let mode = try FileManager.default.attributesOfItem(atPath: job.scheduler.paths[0])[.posixPermissions] as? Int
    #expect(mode == 0o644)
    try job.install(schedule(.week))
    #expect(try String(contentsOfFile: job.scheduler.paths[1], encoding: .utf8).contains("OnCalendar="))
    try job.remove()
    #expect(commands.all.suffix(2) == ["systemctl --user disable --now macmeter.timer", "systemctl --user daemon-reload"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/config").isEmpty)
  }

  @Test("what cannot be loaded is not left lying there")
  func unloadable() throws {
    let commands = Commands()
    commands.failing = "enable"
    let job = ScheduledJob(scheduler: Launchd(home: home.path, user: 501), world: world(commands))
    commands.failing = "bootstrap"
    #expect { try job.install(schedule(.day)) } throws: { "\($0)".contains("no bus") && "\($0)".contains("bootstrap") }
    #expect(!job.exists)
  }

  @Test("a job is replaced once launchd has let the old one go, and not at all where nothing changed")
  func replaced() throws {
    let commands = Commands()
    let job = ScheduledJob(scheduler: Launchd(home: home.path, user: 501), world: world(commands))
    try job.install(schedule(.day))
    #expect(commands.all.map { $0.split(separator: " ")[1] } == ["bootstrap"])
    // An upgrade's installer requests the same again, perhaps during a run.
    try job.install(schedule(.day))
    #expect(commands.all.count == 1)
    commands.lingering = 7
    try job.install(schedule(.week))
    #expect(commands.all.map { $0.split(separator: " ")[1] } == ["bootstrap", "bootout", "bootstrap"])
    #expect(try String(contentsOfFile: job.scheduler.paths[0], encoding: .utf8).contains("Weekday"))
    // Even if launchd refuses in the end, the schedule is there after the next boot.
    commands.failing = "bootstrap"
    #expect(throws: StateError.self) { try job.install(schedule(.day)) }
    #expect(job.exists)
  }

  @Test("a user without a session at the screen gets the reason, and nothing is left")
  func headless() throws {
    let commands = Commands()
    commands.hasSession = false
    let job = ScheduledJob(scheduler: Launchd(home: home.path, user: 501), world: world(commands))
    #expect { try job.install(schedule(.day)) } throws: { "\($0)".contains("sudo macmeter schedule") }
    #expect(!job.exists)
    #expect(commands.all.isEmpty)
    #expect(Launchd(home: nil, user: 0).session == nil)
  }

  @Test(
    "schedules that make no sense are refused in words",
    arguments: [
      ["--every", "hour"], ["--suite", "upload"], ["--path", "/no/such/directory"],
      ["--suite", "cores", "--path", "/"],
    ])
  func refused(arguments: [String]) {
    #expect(Agent.run(["schedule", "--show"] + arguments, in: world(Commands())) == .usage)
    #expect(transcript.said.hasPrefix("macmeter: "))
  }

  @Test("what would be scheduled can be seen, and nothing happens")
  func shown() {
    let commands = Commands()
    #expect(Agent.run(["schedule", "--show", "--every", "day", "--quick", "--path", home.path], in: world(commands)) == .success)
    #expect(transcript.printed.contains(home.path))
    #expect(transcript.printed.contains("--quick"))
    #expect(commands.all.isEmpty)
  }
}

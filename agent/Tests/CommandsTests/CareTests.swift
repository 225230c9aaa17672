import Foundation
import TestSupport
import Testing

@testable import Administration
@testable import Base
@testable import Commands
@testable import Document
@testable import Formats
@testable import LocalState

@Suite struct CareTests {
  let home: TemporaryDirectory
  let transcript = Transcript()
  let preferencesFile = "/etc/macmeter/preferences.json"

  init() throws { home = try TemporaryDirectory() }

  private func world(files: [String: String] = [:], tools: [String: String] = [:]) -> World {
    World.test(
      files: files, tools: tools, environment: ["MACMETER_HOME": home.path + "/state", "HOME": home.path],
      transcript: transcript)
  }

  private func preferences(_ text: String) throws -> Preferences {
    try Preferences.read(
      world(files: [preferencesFile: text]), from: [.init(path: preferencesFile, isManaged: true)])
  }

  private func care(
    _ world: World, bytes: Int = 1_000_000_000, facts: MachineFacts = MachineFacts(),
    target: TargetRecord? = nil, preferences: Preferences = Preferences()
  ) throws -> Care {
    let run = PlannedRun(
      title: "disk", announcement: "", paths: ["/x"], bytesWritten: bytes, bytesNeeded: bytes, perform: { _ in [] })
    return Care(
      planned: [run], targets: target.map { ["/x": $0] } ?? [:], facts: facts, session: try Session(world),
      preferences: preferences)
  }

  private func facts(power: String? = nil, busy: [String]? = nil) -> MachineFacts {
    var facts = MachineFacts()
    facts.environment.powerSource = power
    facts.environment.busy = busy
    return facts
  }

  @Test("a low battery, whether pmset or Linux tells, stops a run unless allowed; a good one does not")
  func battery() throws {
    let pmset = { (charge: Int) in
      "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1)\t\(charge)%; discharging; 2:00 remaining present: true\n"
    }
    let low = try care(world(tools: ["pmset -g batt": pmset(19)]), facts: facts(power: "battery")).objections()
    #expect(low.map(\.code) == [.batteryLow])
    #expect(low.first?.allowedBy == "allow-battery")
    #expect(low.first?.sentence.contains("19%") == true)
    let good = world(tools: ["pmset -g batt": pmset(20)])
    #expect(try care(good, facts: facts(power: "battery")).objections().isEmpty)
    let supply = "/sys/class/power_supply/BAT0"
    let linux = world(files: ["\(supply)/type": "Battery\n", "\(supply)/capacity": "7\n"])
    #expect(try care(linux, facts: facts(power: "battery")).objections().map(\.code) == [.batteryLow])
    #expect(try care(linux, facts: facts(power: "ac")).objections().isEmpty)
    #expect(try care(world(), facts: facts(power: "battery")).objections().isEmpty)
  }

  @Test("a running backup stops a run unless allowed")
  func backup() throws {
    let found = try care(world(), facts: facts(busy: ["backup", "indexing"])).objections()
    #expect(found.map(\.code) == [.backupRunning])
    #expect(found.first?.allowedBy == "allow-backup")
    #expect(try care(world(), facts: facts(busy: ["indexing"])).objections().isEmpty)
  }

  @Test("bytes are counted by the week, and a limit holds; nobody overrides a managed one")
  func limit() throws {
    let limited = try preferences(#"{"bytes_per_week": "3GB"}"#)
    let first = try care(world(), preferences: limited)
    for _ in 0..<2 {
      #expect(try first.objections().isEmpty)
      try first.count()
    }
    #expect(try first.objections().isEmpty)
    try first.count()
    let found = try first.objections()
    #expect(found.map(\.code) == [.limitReached])
    #expect(found.first?.allowedBy == nil)
    #expect(found.first?.sentence.contains(preferencesFile) == true)
    #expect(try care(world(), bytes: 0, preferences: limited).objections().isEmpty)
    let local = try Preferences.read(
      world(files: [preferencesFile: #"{"bytes_per_week": 1}"#]), from: [.init(path: preferencesFile, isManaged: false)])
    #expect(try care(world(), preferences: local).objections().first?.allowedBy == "ignore-limit")
    #expect(Agent.run(["runs", "--written"], in: world()) == .success)
    #expect(transcript.printed.contains("3 GB"))
  }

  @Test("weeks begin on Monday, in UTC")
  func weeks() throws {
    let monday = { (text: String) in
      WrittenBytes.monday(of: try #require(ISO8601DateFormatter().date(from: text)))
    }
    #expect(try monday("2026-11-21T15:00:00Z") == "2026-11-16")
    #expect(try monday("2026-11-16T00:00:00Z") == "2026-11-16")
    #expect(try monday("2026-11-15T23:59:59Z") == "2026-11-09")
    #expect(try monday("1970-01-01T00:00:00Z") == "1969-12-29")
    let ledger = WrittenBytes(state: try StateDirectory(["MACMETER_HOME": home.path + "/other"]))
    try ledger.add(5, at: Date(timeIntervalSince1970: 0))
    try ledger.add(6, at: Date(timeIntervalSince1970: 86400 * 20))
    try ledger.add(7, at: Date(timeIntervalSince1970: 86400))
    #expect(try ledger.weeks().map(\.bytes) == [12, 6])
  }

  @Test("preferences are read, and name key and file where they are wrong")
  func preferences() throws {
    let good = try preferences(
      #"{"server": "https://example.org/", "secret": "s3", "accept": true, "schedule": "day", "suites": ["cores", "hash"], "quick": true, "bytes_per_week": 7, "labels": {"site": "Oslo"}, "name": "Kiosk 7"}"#)
    #expect(good.server?.text == "https://example.org")
    #expect(good.secret == "s3")
    #expect(good.accept)
    #expect(good.schedule == .day)
    #expect(good.bytesPerWeek == 7)
    #expect(good.name == "Kiosk 7")
    #expect(good.suites == ["cores", "hash"])
    #expect(good.quick)
    #expect(try good.labels(with: ["a": "b"]) == ["site": "Oslo", "a": "b"])
    #expect(throws: UsageError.self) { try good.labels(with: ["site": "Rome"]) }
    let wrong = [
      ("server", #""example""#), ("secret", #""a b""#), ("accept", #""yes""#), ("schedule", #""hourly""#),
      ("suites", #""disk""#), ("suites", "[]"), ("suites", #"["disk", "upload"]"#), ("quick", #""yes""#),
      ("bytes_per_week", #""lots""#), ("bytes_per_week", "-1"), ("labels", "[]"), ("labels", #"{"a": []}"#), ("labels", #"{"a=b": "c"}"#), ("labels", #"{"a": " b"}"#), ("labels", #"{"a": 7}"#),
      ("name", #""""#), ("name", "\"\(String(repeating: "a", count: 61))\""), ("serfer", #""x""#),
    ]
    for (key, value) in wrong {
      #expect { try preferences("{\"\(key)\": \(value)}") } throws: { error in
        let text = "\(error)"
        return text.contains(key) && text.contains(preferencesFile)
      }
    }
    #expect(throws: PreferencesError.self) { try preferences("[1") }
    #expect(try Preferences.read(world(), from: [.init(path: preferencesFile, isManaged: true)]) == Preferences())
  }

  #if !canImport(Darwin)
    @Test("an administrator's labels are in what is shown and what is sent")
    func labels() throws {
      var site = world(files: [preferencesFile: #"{"labels": {"site": "Oslo"}}"#])
      site.resolve = { $0 }
      #expect(Agent.run(["preview", home.path, "--json", "--label", "desk=4"], in: site) == .success)
      let document = try RunDocument(json: Data(transcript.printed.utf8))
      #expect(document.labels == ["site": "Oslo", "desk": "4"])
    }

    @Test("labels that cannot be sent are refused with the file that they stand in")
    func refusedLabels() throws {
      var host = world(files: [preferencesFile: #"{"labels": {"site": "at elvira's"}}"#])
      host.resolve = { $0 }
      host.privateNames = { ["elvira"] }
      #expect(Agent.run(["preview", home.path], in: host) == .failure)
      #expect(transcript.said.contains("labels in \(preferencesFile)"))
      #expect(transcript.said.contains("elvira"))
      let many = (0..<65).map { "\"k\($0)\": \"v\"" }.joined(separator: ", ")
      #expect { try preferences("{\"labels\": {\(many)}}").labels(with: [:]) } throws: { "\($0)".contains(preferencesFile) }
    }
  #endif

  @Test("a profile is read through plutil, and overrides local preferences")
  func profile() throws {
    let local = "/Library/Preferences/org.macmeter.agent.plist"
    let managed = "/Library/Managed Preferences/org.macmeter.agent.plist"
    let list = { (entries: String) in "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(entries)</dict></plist>" }
    let world = world(
      files: [local: "bplist", managed: "bplist"],
      tools: [
        "plutil -convert xml1 -o - \(local)": list("<key>schedule</key><string>day</string><key>bytes_per_week</key><integer>9</integer>"),
        "plutil -convert xml1 -o - \(managed)": list("<key>schedule</key><string>week</string><key>accept</key><true/>"),
      ])
    let places = [
      Preferences.Place(path: local, isManaged: false), Preferences.Place(path: managed, isManaged: true),
    ]
    let read = try Preferences.read(world, from: places)
    #expect(read.schedule == .week)
    #expect(read.bytesPerWeek == 9)
    #expect(read.accept)
    #expect(read.managed == ["schedule": managed, "accept": managed])
    var broken = world
    broken.run = { _, _, _ in ToolResult(status: 1, output: Data()) }
    #expect(throws: PreferencesError.self) { try Preferences.read(broken, from: places) }
  }

  @Test("the profile in Packaging says what the agent understands")
  func profileExample() throws {
    let data = try Data(contentsOf: repository.appendingPathComponent("agent/Packaging/macmeter.mobileconfig"))
    let payload = try #require(ToolValue(data)?["PayloadContent"]?.items.first)
    #expect(payload["PayloadType"]?.text == Preferences.domain)
    let keys = payload.entries.keys.filter { !$0.hasPrefix("Payload") }
    #expect(Set(keys) == Set(Preferences.names))
  }
}

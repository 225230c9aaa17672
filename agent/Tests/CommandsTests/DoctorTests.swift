import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import LocalState
@testable import Machine

@Suite struct DoctorTests {
  private let home: TemporaryDirectory
  private let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  private func world(_ answers: [String: HTTPResponse] = [:], mac: String? = nil) -> World {
    var environment = ["MACMETER_HOME": home.path + "/state"]
    environment[Replay.variable] = mac.map { SimulatedMacTests.folder.path + "/" + $0 }
    var world = World.real(environment, transcript: transcript)
    world.http = { request in
      guard let answer = answers[request.url.path] else { throw TransportError(description: "connection refused") }
      return answer
    }
    return world
  }

  private func enrol() throws {
    let session = try Session(world())
    try Enrolment(server: "http://localhost:9", token: "t", machineID: session.identity.machineID).store(session.state)
  }

  private struct Report: Decodable {
    struct Check: Decodable {
      var name: String
      var state: String
      var words: String
      var fix: String?
    }
    var checks: [Check]
    var problems: Int
  }

  private func report(_ world: World) throws -> (code: ExitCode, checks: [String: Report.Check]) {
    let before = transcript.printed.count
    let code = Agent.run(["doctor", home.path, "--json"], in: world)
    let text = String(transcript.printed.dropFirst(before))
    let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    #expect((report.problems == 0) == (code == .success))
    return (code, Dictionary(report.checks.map { ($0.name, $0) }) { first, _ in first })
  }

  @Test("a simulated Mac without a server: nothing is wrong, and what is missing is said")
  func healthy() throws {
    let (code, checks) = try report(world(mac: "mac-mini-m4-pro"))
    #expect(code == .success)
    #expect(checks["machine"]?.words == "Mac mini, Apple M4 Pro, macOS 15.5")
    #expect(checks["storage"]?.words.hasPrefix("internal") == true)
    #expect(checks["server"]?.state == "note")
    #expect(checks["server"]?.fix?.contains("enroll") == true)
    #expect(checks["power"]?.state == "works")
    #expect(checks["replies"]?.state == "works")
    _ = try home.write("[]", to: "replies.json")
    var empty = world()
    empty.environment[Replay.variable] = home.path
    #expect(try report(empty).checks["replies"]?.words.contains("; sw_vers;") == true)
    #expect(try report(world(mac: "virtual-machine-macos-26")).checks["power"]?.fix?.contains("host") == true)
  }

  @Test("a server that cannot be reached, isn't a Macmeter server, or refuses the token")
  func server() throws {
    try enrol()
    #expect(try report(world()).code == .problemsFound)
    #expect(try report(world()).checks["server"]?.words.contains("connection refused") == true)
    #expect(try report(world(["/readyz": HTTPResponse(status: 404)])).checks["server"]?.words.contains("404") == true)
    let date = { (seconds: Double) -> [String: String] in
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "GMT")
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return ["date": format.string(from: Date(timeIntervalSinceNow: seconds))]
    }
    let refused = try report(
      world(["/readyz": HTTPResponse(status: 200, headers: date(0)), "/api/v1/tokens/self": HTTPResponse(status: 401)]))
    #expect(refused.code == .problemsFound)
    #expect(refused.checks["token"]?.state == "problem")
    #expect(refused.checks["clock"]?.state == "works")
    let token = HTTPResponse(status: 200, body: Data(#"{"scope":"device","visibility":"public"}"#.utf8))
    let late = try report(world(["/readyz": HTTPResponse(status: 200, headers: date(-3600)), "/api/v1/tokens/self": token]))
    #expect(late.code == .problemsFound)
    #expect(late.checks["token"]?.words == "device token, runs are public")
    #expect(late.checks["clock"]?.words.contains("ahead of the server's") == true)
    let early = try report(world(["/readyz": HTTPResponse(status: 200, headers: date(3600)), "/api/v1/tokens/self": token]))
    #expect(early.code == .success)
    #expect(early.checks["clock"]?.state == "note")
  }

  @Test("what makes figures less comparable is said in words, with what to do about it")
  func conditions() throws {
    var world = world()
    world.readText = { $0 == "/proc/loadavg" ? "99 99 99 1/1 1" : World.live().readText($0) }
    #if !canImport(Darwin)
      let busy = try report(world).checks["conditions"]
      #expect(busy?.words.hasPrefix("other work is running (load over the last minute: ") == true)
      #expect(busy?.fix == "Stop it and measure again to get comparable results.")
    #endif
  }

  @Test("a state directory that cannot be used")
  func state() throws {
    let file = try home.write("", to: "file")
    var world = world()
    world.environment["MACMETER_HOME"] = file
    #expect(try report(world).checks["state"]?.state == "problem")
  }

  @Test("runs that a server refused are counted, with the last reason; who isn't enrolled is not sent to upload")
  func spool() throws {
    let session = try Session(world())
    let id = "0193a000-0000-7000-8000-000000000001"
    try session.spool.add(Data("{\"id\": \"\(id)\"}".utf8), id: id)
    let waiting = try #require(try report(world()).checks["runs"])
    #expect(waiting.words == "1 waiting for upload")
    #expect(waiting.fix == "To upload, choose a server first: `macmeter enroll --server URL`.")
    try enrol()
    #expect(try report(world()).checks["runs"]?.fix == "To upload now, run `macmeter upload`.")
    try session.spool.move(id, to: .quarantined, note: Spool.Note(reason: "422 no simulated runs"))
    #expect(try report(world()).checks["runs"]?.fix?.contains("422 no simulated runs") == true)
  }

  @Test("runs scheduled on a volume, for which a Mac asks permission that nobody gives", arguments: [
    ("/Volumes/Fast", true), ("/Users/x/Volumes", false),
  ])
  func scheduledVolume(path: String, isNoted: Bool) throws {
    var world = world()
    world.system = .macOS
    world.environment["HOME"] = home.path
    world.run = { _, _, _ in nil }
    world.readText = { $0.hasSuffix("/org.macmeter.agent.plist") ? "<array><string>\(path)</string></array>" : nil }
    #expect(try (report(world).checks["schedule"]?.state == "note") == isNoted)
  }

  @Test("half a run is a problem that names its file")
  func half() throws {
    let session = try Session(world())
    let id = "0193a000-0000-7000-8000-000000000001"
    for half in ["", "{\"id\": \"\(id)", "{\"id\": \"0193a000-0000-7000-8000-000000000002\"}"] {
      try session.spool.add(Data(half.utf8), id: id)
      let check = try report(world()).checks["runs"]
      #expect(check?.state == "problem")
      #expect(check?.words.contains(id + ".json is ") == true)
    }
  }

  @Test("a recording tells the same of the Mac and not whose it is", arguments: SimulatedMacTests.names)
  func record(name: String) throws {
    let directory = home.path + "/recorded"
    var world = world(mac: name)
    world.privateNames = { ["Never Sent Owner", "neversent", "vm"] }
    #expect(Agent.run(["doctor", home.path, "--record", directory], in: world) == .success, "\(transcript.said)")
    #expect(transcript.said.contains("Replaying them gives the same facts about this Mac."))
    for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + file))
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in ["NEVERSENT", "neversent", "Never Sent", "11111111-2222", "22222222-3333", home.path] {
        #expect(!text.contains(secret), "\(file): \(secret)")
      }
    }
    #expect(Agent.run(["doctor", home.path, "--record", directory], in: world) == .failure)
    #expect(transcript.said.contains("already has a recording"))
  }
}

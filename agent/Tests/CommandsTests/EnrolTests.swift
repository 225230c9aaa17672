import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import LocalState
@testable import Upload

@Suite struct EnrolTests {
  let home: TemporaryDirectory
  let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  /// A machine identified by `name`, and a server that knows one secret and one fleet's token.
  private func world(_ name: String, preferences: String? = nil) -> World {
    var files = ["/etc/machine-id": name]
    files["/etc/macmeter/preferences.json"] = preferences
    var world = World.test(
      files: files, environment: ["MACMETER_HOME": home.path + "/state", "HOME": home.path], transcript: transcript)
    world.http = { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      switch request.url.path {
      case "/readyz": return HTTPResponse(status: 200)
      case "/api/v1/enroll":
        let isNamed = body.contains("\"secret\":\"named\"") && body.contains("\"name\":\"Kiosk 7\"")
        guard isNamed || body.contains("\"secret\":\"open\"") else { return HTTPResponse(status: 403) }
        return HTTPResponse(status: 201, body: Data(#"{"token": "bought"}"#.utf8))
      case "/api/v1/tokens/self":
        let scope = request.headers["Authorization"] == "Bearer one-device" ? "device" : "fleet"
        return HTTPResponse(status: 200, body: Data(#"{"scope": "\#(scope)", "visibility": "private", "fleet": "Lab", "licence": {"name": "CC0-1.0"}}"#.utf8))
      default:
        return HTTPResponse(status: 201, body: Data("{\"id\": \"\(request.url.lastPathComponent)\"}".utf8))
      }
    }
    return world
  }

  private func run(_ world: World, _ arguments: String...) -> ExitCode { Agent.run(arguments, in: world) }

  private func enrolment() throws -> Enrolment? {
    try Enrolment.load(StateDirectory(["MACMETER_HOME": home.path + "/state"]))
  }

  @Test("a fleet's secret buys a token; consent is kept with its words")
  func secret() throws {
    #expect(run(world("a"), "enroll", "--server", "https://m.example", "--secret", "shut", "--yes") == .failure)
    #expect(try enrolment() == nil)
    #expect(run(world("a"), "enroll", "--server", "https://m.example", "--secret", "open", "--yes") == .success)
    let kept = try #require(try enrolment())
    #expect(kept.token == "bought")
    #expect(kept.consent?.given == .option)
    #expect(kept.consent?.text.contains("Fleet: Lab") == true)
    #expect(kept.consent?.text.contains("Only the fleet's members") == true)
    // The server answers with the licence of public runs, whoever asks.
    #expect(kept.consent?.text.contains("CC0") == false)
  }

  @Test("only runs that may be public come under the licence of public runs", arguments: [
    ("public", "Everyone will be able"), ("members", "Everyone with an account"), ("private", "Only the fleet's members"),
    ("sideways", "Visibility: sideways"),
  ])
  func licence(visibility: String, said: String) throws {
    let body = #"{"visibility": "\#(visibility)", "licence": {"name": "CC0-1.0"}}"#
    let facts = try #require(TokenFacts(HTTPResponse(status: 200, body: Data(body.utf8))))
    let terms = Terms(facts, try #require(ServerAddress("https://m.example"))).text
    #expect(terms.contains(said))
    #expect(terms.contains("CC0") == ["public", "sideways"].contains(visibility))
  }

  @Test("a name goes with a fleet's secret, from the command or the profile, and with nothing else")
  func name() throws {
    let enroll = ["enroll", "--server", "https://m.example", "--yes", "--name"]
    #expect(Agent.run(enroll + ["Kiosk 8", "--secret", "named"], in: world("a")) == .failure)
    #expect(Agent.run(enroll + ["Kiosk 7", "--secret", "named"], in: world("a")) == .success)
    #expect(transcript.said.contains("This machine's name there: Kiosk 7."))
    #expect(Agent.run(enroll + ["Kiosk 7", "--token", "fleet-wide"], in: world("a")) == .usage)
    #expect(Agent.run(enroll + ["", "--secret", "open"], in: world("a")) == .usage)
    let profile = #"{"server": "https://m.example", "secret": "named", "accept": true, "name": "Kiosk 7"}"#
    #expect(run(world("b", preferences: profile), "enroll") == .success)
    #expect(Agent.run(enroll + ["Kiosk 8"], in: world("b", preferences: profile)) == .usage)
  }

  @Test("a server that knows no names yet enrols the Mac without one")
  func olderServer() throws {
    var world = world("a")
    world.http = { [http = world.http] request in
      guard request.body.map({ String(decoding: $0, as: UTF8.self).contains("\"name\"") }) ?? false else { return try http(request) }
      let problem = #"{"pointer": "/name", "detail": "Extra inputs", "errors": [{"pointer": "/name", "code": "extra_forbidden"}]}"#
      return HTTPResponse(status: 422, body: Data(problem.utf8))
    }
    let enroll = ["enroll", "--server", "https://m.example", "--yes", "--name", "Kiosk 7", "--secret", "open"]
    #expect(Agent.run(enroll, in: world) == .success)
    #expect(transcript.said.contains("knows no names of Macs"))
  }

  @Test("a template holds no identity; each copy makes its own and enrols when it uploads",
    arguments: [["--secret", "open"], ["--token", "fleet-wide"]])
  func template(credential: [String]) throws {
    _ = run(world("master"), "runs")
    let prepare = ["enroll", "--template", "--server", "https://m.example", "--yes"] + credential
    #expect(Agent.run(prepare, in: world("master")) == .success)
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
    #expect(!FileManager.default.fileExists(atPath: state.path("identity.json")))
    #expect(try enrolment() == nil)
    var ids: Set<String> = []
    for copy in ["first", "second"] {
      #expect(run(world(copy), "upload") == .success)
      let kept = try #require(try enrolment())
      #expect(kept.token == (credential[0] == "--secret" ? "bought" : "fleet-wide"))
      ids.insert(kept.machineID)
    }
    // The second is a copy of the first: detected, replaced, and enrolled automatically.
    #if !canImport(Darwin)
      #expect(ids.count == 2)
      #expect(transcript.said.contains("copied from another machine"))
    #endif
  }

  @Test("a device's token prepares no image, and neither do runs that wait")
  func noTemplate() throws {
    let prepare = ["enroll", "--template", "--server", "https://m.example", "--yes"]
    #expect(Agent.run(prepare + ["--token", "one-device"], in: world("a")) == .enrolAgain)
    let spool = Spool(state: try StateDirectory(["MACMETER_HOME": home.path + "/state"]))
    try spool.add(Data("{}".utf8), id: "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b")
    #expect(Agent.run(prepare + ["--secret", "open"], in: world("a")) == .keptForLater)
    #expect(try Template.load(spool.state) == nil)
  }

  #if !canImport(Darwin)
    @Test("an administrator's server, secret and consent are enough, and cannot be talked away")
    func managed() throws {
      let preferences = #"{"server": "https://m.example", "secret": "open", "accept": true}"#
      let managed = world("a", preferences: preferences)
      #expect(run(managed, "enroll", "--server", "https://other.example", "--token", "t", "--yes") == .usage)
      #expect(transcript.said.contains("/etc/macmeter/preferences.json"))
      #expect(run(managed, "upload") == .success)
      #expect(try enrolment()?.consent?.given == .preferences)
      #expect(try enrolment()?.server == "https://m.example")
    }

    @Test("an administrator's secret that the server does not take is named with its file")
    func managedSecret() throws {
      let preferences = #"{"server": "https://m.example", "secret": "shut", "accept": true}"#
      #expect(run(world("a", preferences: preferences), "upload") == .keptForLater)
      #expect(transcript.said.contains("server and secret in /etc/macmeter/preferences.json"))
    }

    @Test("without the administrator's consent nothing enrols by itself")
    func noConsent() throws {
      let preferences = #"{"server": "https://m.example", "secret": "open"}"#
      #expect(run(world("a", preferences: preferences), "upload") == .notEnrolled)
      #expect(try enrolment() == nil)
    }
  #endif

  @Test("a new address alone takes the present token along")
  func moved() throws {
    #expect(run(world("a"), "enroll", "--server", "https://old.example", "--token", "fleet-wide", "--yes") == .success)
    #expect(run(world("a"), "enroll", "--server", "https://new.example", "--yes") == .success)
    #expect(try enrolment()?.server == "https://new.example")
    #expect(try enrolment()?.token == "fleet-wide")
  }
}

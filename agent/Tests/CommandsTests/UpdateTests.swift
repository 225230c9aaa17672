import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState

/// Who updates which program, and from where; the update itself is tested with real files and a real
/// server (tests/e2e/test_agent_update.py).
@Suite struct UpdateTests {
  let home: TemporaryDirectory
  let transcript = Transcript()
  let witness = Witness()

  init() throws {
    home = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: home.path + "/bin", withIntermediateDirectories: false)
    let made = FileManager.default.createFile(atPath: program, contents: Data(), attributes: [.posixPermissions: 0o755])
    #expect(made)
  }

  final class Witness: @unchecked Sendable {
    /// What this program became.
    var command: [String] = []
    var questions: [String] = []
  }

  private var program: String { home.path + "/bin/macmeter" }
  private static let script = "#!/bin/sh\nmain() { :; }\nmain \"$@\"\n"

  /// A machine with this program, and the server that the program came from.
  /// - Parameter offer: the server's answer about the agent; nil: an older server.
  private func world(
    place: String? = nil, prefix: String? = nil, isNoted: Bool = true,
    offer: String? = #"{"version": "9.10.0", "install": "curl", "package": null}"#, script: String = script
  ) -> World {
    let note = isNoted ? ["\(prefix ?? home.path)/share/macmeter/server": "https://m.example\n"] : [:]
    var world = World.test(
      files: note, links: place.map { [program: $0] } ?? [:],
      environment: ["MACMETER_HOME": home.path + "/state", "HOME": home.path, "MACMETER_PROGRAM": program],
      transcript: transcript)
    world.system = .linux
    world.become = { [witness] in witness.command = $0 }
    world.http = { request in
      switch request.url.absoluteString {
      case "https://m.example/install.sh": return HTTPResponse(status: 200, body: Data(script.utf8))
      case "https://m.example/api/v1/agent":
        return offer.map { HTTPResponse(status: 200, body: Data($0.utf8)) } ?? HTTPResponse(status: 404)
      default: throw TransportError(description: "no server")
      }
    }
    return world
  }

  private func offering(_ version: String, files: Bool = true) -> World {
    world(offer: #"{"version": "\#(version)", "install": \#(files ? #""curl""# : "null"), "package": null}"#)
  }

  @Test("a newer version is installed by the server's script, where the old one is")
  func newer() throws {
    #expect(Agent.run(["update", "--check"], in: world()) == .success)
    #expect(witness.command.isEmpty)
    #expect(Agent.run(["update", "--yes"], in: world()) == .failure, "the replaced program would not return")
    #expect(witness.command == ["/bin/sh", "-c", Self.script, "install.sh", "--prefix", home.path])
  }

  @Test("nothing is updated without an answer", arguments: [nil, "no"])
  func asks(answer: String?) throws {
    var world = world()
    world.terminal.ask = { _ in answer }
    #expect(Agent.run(["update"], in: world) == .failure)
    #expect(witness.command.isEmpty)
  }

  @Test("the same and older versions are left alone")
  func notNewer() throws {
    #expect(Agent.run(["update", "--yes"], in: offering(Program.version)) == .success)
    #expect(transcript.said.contains("the newest version that https://m.example offers"))
    #expect(Agent.run(["update", "--yes"], in: offering("0.0.9")) == .success)
    #expect(transcript.said.contains("0.0.9, which is older"))
    #expect(witness.command.isEmpty)
  }

  @Test("a server that can't help is named: older, without files, or none of ours")
  func servers() throws {
    #expect(Agent.run(["update", "--yes"], in: world(offer: nil)) == .failure)
    #expect(transcript.said.contains("https://m.example runs an older version, which offers no agent"))
    #expect(Agent.run(["update", "--yes"], in: offering("9.0.0", files: false)) == .notPossibleHere)
    #expect(Agent.run(["update", "--check"], in: offering(Program.version, files: false)) == .notPossibleHere)
    #expect(transcript.said.contains("https://m.example doesn't offer the agent any more"))
    for garbled in ["<html>", #"{"version": "9; rm -rf"}"#, "[]"] {
      #expect(Agent.run(["update", "--yes"], in: world(offer: garbled)) == .failure, "\(garbled)")
    }
    for cut in ["<html>", "#!/bin/sh\nmain() { :; }\n"] {
      #expect(Agent.run(["update", "--yes"], in: world(script: cut)) == .failure, "\(cut)")
    }
    #expect(witness.command.isEmpty)
  }

  @Test("what Homebrew, the package or nobody installed is left to them")
  func others() throws {
    var brewed = world(place: "/opt/homebrew/Cellar/macmeter/0.2.0/bin/macmeter")
    brewed.system = .macOS
    #expect(Agent.run(["update", "--yes"], in: brewed) == .notPossibleHere)
    #expect(transcript.said.contains("brew upgrade macmeter"))
    var packaged = world(place: "/usr/local/bin/macmeter")
    packaged.system = .macOS
    packaged.run = { tool, _, _ in tool == "pkgutil" ? ToolResult(status: 0, output: Data()) : nil }
    #expect(Agent.run(["update", "--yes"], in: packaged) == .notPossibleHere)
    #expect(transcript.said.contains("The installer package put this program on this Mac."))
    #expect(Agent.run(["update", "--yes"], in: world(isNoted: false)) == .notPossibleHere)
    #expect(transcript.said.contains("No server's install.sh installed \(program)"))
    #expect(witness.command.isEmpty)
  }

  @Test("a server that offers none is not named as one to install from")
  func noneToReplaceItFrom() throws {
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
    try Enrolment(server: "https://m.example", token: "t", machineID: "m").store(state)
    let none = #"{"version": "9.10.0", "install": null, "package": null}"#
    #expect(Agent.run(["update"], in: world(isNoted: false, offer: none)) == .notPossibleHere)
    #expect(transcript.said.contains("from the newer source: https://m.example offers no agent."))
    #expect(Agent.run(["update"], in: world(isNoted: false)) == .notPossibleHere)
    #expect(transcript.said.contains("or replace it: curl -fsSL https://m.example/install.sh | sh"))
  }

  @Test("a folder of the account's own is corrected, not written to as root", arguments: [true, false])
  func noPermission(isOwn: Bool) throws {
    // What isn't there may not be written to either, whoever runs the tests.
    let prefix = home.path + "/gone"
    var world = world(place: prefix + "/bin/macmeter", prefix: prefix)
    world.environment["HOME"] = isOwn ? home.path : "/home/else"
    #expect(Agent.run(["update", "--yes"], in: world) == .notPossibleHere)
    #expect(transcript.said.contains("sudo chown -R") == isOwn)
    #expect(transcript.said.contains("`sudo macmeter update`") != isOwn)
    #expect(witness.command.isEmpty)
  }

  @Test("not while a run is measured")
  func measuring() throws {
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
    let held = FileLock(state.path("measuring.lock"))
    #expect(held != nil)
    #expect(Agent.run(["update", "--yes"], in: world()) == .alreadyRunning)
    #expect(witness.command.isEmpty)
  }

  @Test("without a command, the first steps are offered until there is a run")
  func firstSteps() throws {
    var world = world()
    world.terminal.ask = { [witness] question in
      witness.questions.append(question)
      return "no"
    }
    #expect(Agent.run([], in: world) == .success)
    #expect(transcript.said.contains("Nothing was sent or measured."))
    #expect(witness.questions == ["Connect this machine to https://m.example, then measure its storage, by writing and reading 530 MB? [Y/n]"])
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
    try Spool(state: state).add(Data("{}".utf8), id: "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b")
    #expect(Agent.run([], in: world) == .usage)
    #expect(witness.questions.count == 1)
    #expect(transcript.printed.contains("Usage: macmeter COMMAND"))
  }
}

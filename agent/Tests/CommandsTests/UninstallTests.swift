import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import LocalState
@testable import Measure

@Suite struct UninstallTests {
  let home: TemporaryDirectory
  let transcript = Transcript()
  let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"

  init() throws { home = try TemporaryDirectory() }

  private var statePath: String { home.path + "/state" }

  private func run(_ arguments: String..., answer: String? = nil) -> ExitCode {
    var world = World.real(["MACMETER_HOME": statePath, "HOME": home.path], transcript: transcript)
    world.terminal.ask = { _ in answer }
    world.run = { _, _, _ in nil }
    return Agent.run(["uninstall"] + arguments, in: world)
  }

  private func measured() throws -> Spool {
    _ = try Session(.real(["MACMETER_HOME": statePath], transcript: transcript))
    let spool = Spool(state: try StateDirectory(["MACMETER_HOME": statePath]))
    try spool.add(Data("{}".utf8), id: id)
    return spool
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: statePath) }

  @Test("unsent runs are removed only with --discard-unsent, and nothing without a yes")
  func asks() throws {
    let spool = try measured()
    #expect(run("--yes") == .keptForLater)
    #expect(transcript.said.contains("--discard-unsent"))
    try spool.move(id, to: .sent, note: Spool.Note())
    #expect(run() == .failure)
    #expect(run(answer: "no") == .failure)
    #expect(spool.document(id, .sent) != nil)
    #expect(run(answer: "y") == .success)
    #expect(!isThere)
  }

  @Test("everything the agent made goes, leftovers of killed runs too")
  func everything() throws {
    let spool = try measured()
    spool.hold(id, reason: "x")
    try Enrolment(server: "https://example.org", token: "t", machineID: id).store(spool.state)
    try WrittenBytes(state: spool.state).add(5, at: Date())
    let leftover = home.path + "/" + TestDirectory.prefix + id
    try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: false)
    try Scratch(state: spool.state).register(leftover, id: id)
    try Data().write(to: URL(fileURLWithPath: spool.state.path("pending/\(id).json.tmp-7")))
    #expect(run("--yes", "--discard-unsent") == .success)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    #expect(run("--yes") == .success)
    #expect(!isThere)
  }

  @Test("in the usual place nothing is left of replayed Macs either, nor of the place itself")
  func usualPlace() throws {
    var world = World.real(["HOME": home.path], transcript: transcript)
    world.run = { _, _, _ in nil }
    _ = try Session(world)
    for replayOnly in [false, true] {
      _ = try StateDirectory(["MACMETER_HOME": try StateDirectory.location(["HOME": home.path]) + StateDirectory.replays])
      #expect(Agent.run(["uninstall", "--yes"], in: world) == .success, "\(replayOnly)")
      #if !canImport(Darwin)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
      #endif
    }
  }

  @Test("what somebody else put there stays, and is named")
  func foreign() throws {
    _ = try measured()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: statePath + "/thesis.txt"))
    try Data("precious".utf8).write(to: URL(fileURLWithPath: statePath + "/sent/notes.json"))
    #expect(run("--yes", "--discard-unsent") == .failure)
    #expect(transcript.said.contains("sent, thesis.txt"))
    #expect(FileManager.default.fileExists(atPath: statePath + "/sent/notes.json"))
    #expect(!FileManager.default.fileExists(atPath: statePath + "/identity.json"))
  }

  @Test("not while a run is measured")
  func measuring() throws {
    let spool = try measured()
    let held = FileLock(spool.state.path("measuring.lock"))
    #expect(held != nil)
    #expect(run("--yes", "--discard-unsent") == .alreadyRunning)
    #expect(isThere)
  }
}

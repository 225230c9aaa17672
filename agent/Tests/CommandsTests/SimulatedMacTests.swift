import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import Machine

/// Whole Macs, from their tools' output to the document that would be sent. Any change in a reader
/// shows here. `MACMETER_RENEW=1 tools/swift test --filter SimulatedMacTests` rewrites the
/// documents; then review the diff.
@Suite struct SimulatedMacTests {
  static let folder = repository.appendingPathComponent("tests/documents/macs")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { !$0.contains(".") }.sorted()

  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  @Test("there are Macs of every kind")
  func kinds() throws {
    #expect(Self.names.count >= 9)
    let documents = try Self.names.map { try RunDocument(json: Data(contentsOf: Self.golden($0))) }
    for chip in ["Apple M1", "Apple M2", "Apple M3 Pro", "Apple M4 Pro", "Apple M5 Max"] {
      #expect(documents.contains { $0.machine.chip == chip }, "\(chip)")
    }
    for storage: Storage in [.internal, .thunderbolt3, .usb4, .usb3, .diskImage, .virtualDisk] {
      #expect(documents.contains { $0.target?.storage == storage }, "\(storage)")
    }
    #expect(documents.contains { $0.machine.coreTiers?.map(\.name) == ["Super", "Performance"] })
    #expect(documents.contains { $0.environment?.virtualMachine?.vcpus == 5 })
    #expect(documents.contains { $0.target?.encryption == .imageAES256 })
  }

  @Test("what would be sent is the golden document", arguments: names)
  func golden(name: String) throws {
    let printed = try preview(name)
    let document = try Self.comparable(printed)
    let file = Self.golden(name)
    if ProcessInfo.processInfo.environment["MACMETER_RENEW"] == "1" {
      try Data((try document.readable() + "\n").utf8).write(to: file)
    }
    #expect(try document.readable() + "\n" == String(decoding: Data(contentsOf: file), as: UTF8.self))
  }

  @Test("nothing that tells whose Mac it is, or which one, is in a document", arguments: names)
  func privacy(name: String) throws {
    let printed = try preview(name)
    var secrets: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path + "/" + name) where file != "document.json" {
      let data = try Data(contentsOf: Self.folder.appendingPathComponent(name + "/" + file))
      secrets.formUnion(Secrets.of(String(decoding: data, as: UTF8.self)))
    }
    #expect(!secrets.isEmpty)
    for secret in secrets.union([home.path, "Never Sent", "neversent"]) {
      #expect(!printed.localizedCaseInsensitiveContains(secret), "\(secret)")
    }
    #expect(!printed.contains("NEVERSENT"))
  }

  @Test("every listed answer is asked for: none is left from an older agent", arguments: names)
  func asked(name: String) throws {
    let replay = try Replay(directory: Self.folder.path + "/" + name)
    let calls = Calls()
    var world = World.real([:], transcript: Transcript()).replaying(replay)
    world.run = { [run = world.run] tool, arguments, input in
      calls.add([tool] + arguments)
      return run(tool, arguments, input)
    }
    let facts = MachineFacts.read(world)
    _ = MachineFacts.ownIdentifiers(world)
    _ = Target.probe(home.path, facts: facts, deviceKey: [1], world: world)
    let unasked = replay.replies.filter { reply in
      let words = reply.command.map { $0 == Replay.anyPath ? home.path : $0 }
      // Run only if the first source says nothing, or by `macmeter power`.
      return !calls.all.contains(words) && !["fdesetup", "powermetrics"].contains(words[0]) && words != ["diskutil", "info", "-plist", "/"]
    }
    #expect(unasked.isEmpty, "\(unasked.map { $0.command.joined(separator: " ") })")
  }

  private func preview(_ name: String) throws -> String {
    let transcript = Transcript()
    let environment = ["MACMETER_HOME": home.path + "/" + name, Replay.variable: Self.folder.path + "/" + name]
    let code = Agent.run(["preview", home.path, "--seed", "7", "--json"], in: .real(environment, transcript: transcript))
    #expect(code == .success, "\(transcript.said)")
    return transcript.printed
  }

  private static func golden(_ name: String) -> URL { folder.appendingPathComponent(name + "/document.json") }

  /// The document without what differs every time: ids, the agent's key, version and commit.
  private static func comparable(_ printed: String) throws -> RunDocument {
    var document = try RunDocument(json: Data(printed.utf8))
    let nobody = "00000000-0000-4000-8000-000000000000"
    document.id = nobody
    document.machine.id = nobody
    document.agent = AgentRecord(version: "0", platform: document.agent?.platform)
    if document.target?.deviceID != nil { document.target?.deviceID = "0000000000000000" }
    if document.target?.image?.host?.deviceID != nil { document.target?.image?.host?.deviceID = "0000000000000000" }
    return document
  }
}

private final class Calls: @unchecked Sendable {
  private let lock = NSLock()
  private var commands: [[String]] = []
  var all: [[String]] { lock.withLock { commands } }
  func add(_ command: [String]) { lock.withLock { commands.append(command) } }
}

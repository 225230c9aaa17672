import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import Formats
@testable import MacTools
@testable import Machine
@testable import Measure

/// Macs composed from the few outputs that matter, with the expected facts.
@Suite struct MacAnswersTests {
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
  private static let folder = repository.appendingPathComponent("tests/documents/answers")
  /// Values allowed for a Mac of which less is known.
  private static let nothing = [ToolValue.string("unknown"), .string("other"), .array([]), .dictionary([:])].map { "\($0)" }

  private let home: TemporaryDirectory
  init() throws { home = try TemporaryDirectory() }

  /// One Mac, as described by its file.
  private struct Mac {
    let said: ToolValue
    let answers: [(command: [String], output: Data)]

    init(_ name: String) throws {
      said = try #require(ToolValue(Data(contentsOf: folder.appendingPathComponent(name + ".json"))), "\(name)")
      answers = try #require(said["answers"]).entries.sorted { $0.key < $1.key }.map { command, answer in
        let words = command.components(separatedBy: " ")
        if case .string(let text) = answer { return (words, Data(text.utf8)) }
        return (words, Data((words.contains("-plist") ? answer.propertyList : answer.json()).utf8))
      }
    }

    var privateNames: [String] {
      (said["private"]?.items ?? []).compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
  }

  /// A replay of these outputs, in its own directory.
  private func world(_ answers: [(command: [String], output: Data)]) throws -> World {
    let directory = home.path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let replies = try answers.enumerated().map { place, answer in
      try answer.output.write(to: URL(fileURLWithPath: "\(directory)/\(place)"))
      return ToolValue.dictionary(["command": .array(answer.command.map(ToolValue.string)), "file": .string("\(place)")])
    }
    try Data(ToolValue.array(replies).json().utf8).write(to: URL(fileURLWithPath: directory + "/" + Replay.listName))
    return World.real(["MACMETER_HOME": home.path + "/state"], transcript: Transcript())
      .replaying(try Replay(directory: directory))
  }

  private struct Found: Encodable {
    let machine: MachineRecord
    let environment: EnvironmentRecord
    let target: TargetRecord
    let warnings: [Document.Warning]
  }

  private func facts(_ world: World) throws -> ToolValue {
    let facts = MachineFacts.read(world)
    var target = Target.probe(home.path, facts: facts, deviceKey: [1], world: world)
    target.simultaneous = nil
    let found = Found(
      machine: facts.record(id: ""), environment: facts.environment, target: target,
      warnings: Preflight.warnings(facts, target: target))
    return try #require(ToolValue(try JSONEncoder().encode(found)))
  }

  @Test("the facts are those in the Mac's file", arguments: names)
  func facts(name: String) throws {
    let mac = try Mac(name)
    let found = try facts(world(mac.answers))
    if let target = mac.said["target"] { #expect(found["target"] == target) }
    for part in ["machine", "environment"] {
      for (key, value) in mac.said[part]?.entries ?? [:] { #expect((found[part]?[key] ?? .other) == value, "\(key)") }
    }
    let codes = found["warnings"]?.items.compactMap { $0["code"] }
    #expect(codes == mac.said["warnings"]?.items)
    #expect(mac.said["about"]?.text != nil)
    expectNoNames(of: mac, in: found.json(), "\(name)")
  }

  private func expectNoNames(of mac: Mac, in text: String, _ comment: Comment) {
    for name in mac.privateNames { #expect(!text.lowercased().contains(name.lowercased()), "\(name): \(comment)") }
  }

  @Test("a recording holds none of the names, and gives the same facts", arguments: names)
  func recording(name: String) throws {
    let mac = try Mac(name)
    let transcript = Transcript()
    var world = try world(mac.answers)
    world.terminal = transcript.terminal
    let directory = home.path + "/recorded"
    try Recording.make(in: directory, of: home.path, world)
    #expect(transcript.said.contains("gives the same facts"))
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
    for file in files {
      expectNoNames(of: mac, in: String(decoding: try Data(contentsOf: URL(fileURLWithPath: directory + "/" + file)), as: UTF8.self), "\(file)")
    }
  }

  /// Quick runs of these tests try 100.
  private static let mutations = ProcessInfo.processInfo.environment["THOROUGH"] == nil ? 100 : 1000

  /// Processor time of this thread since it began.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("an answer, a line or a value less: nothing false, no name, no wait")
  func mutated() throws {
    var random = SplitMix64(seed: 2_026)
    let macs = try Self.names.map(Mac.init)
    let whole = try macs.map { leaves(try facts(world($0.answers))) }
    for tried in 0..<Self.mutations {
      let place = Int(random.next() % UInt64(macs.count))
      let (mac, name) = (macs[place], Self.names[place])
      var answers = mac.answers
      let answer = Int(random.next() % UInt64(answers.count))
      answers[answer].output = Self.less(answers[answer].output, &random)
      let (began, busy) = (Date(), Self.processorSeconds)
      let found = try facts(world(answers))
      // Wall time alone depends on the other tests running. An endless loop uses processor time,
      // and waiting for a command takes minutes.
      #expect(Self.processorSeconds - busy < 2)
      #expect(Date().timeIntervalSince(began) < 60)
      let comment: Comment = "\(tried), \(name), \(answers[answer].command): \(String(decoding: answers[answer].output, as: UTF8.self))"
      expectNoNames(of: mac, in: found.json(), comment)
      guard mac.said["disputed"] == nil else { continue }
      let false_ = leaves(found).subtracting(whole[place])
      #expect(false_.isEmpty, "\(false_): \(comment)")
    }
  }

  /// An output with something removed.
  private static func less(_ answer: Data, _ random: inout SplitMix64) -> Data {
    var lines = String(decoding: answer, as: UTF8.self).components(separatedBy: "\n")
    let line = Int(random.next() % UInt64(lines.count))
    switch random.next() % 4 {
    case 0: lines = []
    case 1: lines.removeLast(lines.count - line)
    case 2: lines.remove(at: line)
    default: lines[line] = lines[line].replacingOccurrences(of: #"(: "?|>)[^<>",]+"#, with: "$1<redacted>", options: .regularExpression)
    }
    return Data(lines.joined(separator: "\n").utf8)
  }

  /// Each fact as its path and value, without the warnings.
  private func leaves(_ found: ToolValue) -> Set<String> {
    var leaves: Set<String> = []
    func collect(_ value: ToolValue, _ path: String) {
      for (key, entry) in value.entries where key != "warnings" { collect(entry, path + "/" + key) }
      for item in value.items { collect(item, path) }
      if value.entries.isEmpty, value.items.isEmpty, !Self.nothing.contains("\(value)") { leaves.insert("\(path) \(value)") }
    }
    collect(found, "")
    return leaves
  }
}

import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Formats
@testable import MacTools
@testable import Machine
@testable import Measure

/// Fuzzing: no reader crashes, hangs or invents a fact. Every run uses the same bytes.
@Suite struct MacToolsFuzzTests {
  /// Seconds per test: a slow machine tries fewer inputs, in the same order, but never fewer than
  /// `least`. MACMETER_FUZZ_SECONDS=600 searches longer.
  private static let allowance = ProcessInfo.processInfo.environment["MACMETER_FUZZ_SECONDS"].flatMap(Double.init) ?? 3
  private static let least = 20

  @Test("random bytes tell nothing")
  func random() throws {
    var random = SplitMix64(seed: 20_261_121)
    let end = Date().addingTimeInterval(Self.allowance)
    var tried = 0
    while Date() < end || tried < Self.least {
      let bytes = (0..<Int(random.next() % 600)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      for (reader, facts) in try EveryReader.facts(Data(bytes)) {
        #expect(Self.nothing.contains(facts), "\(reader) says \(facts) of \(bytes)")
      }
      tried += 1
    }
    print("fuzz: \(tried) random inputs")
  }

  /// Results of readers that always return a value, when nothing is known.
  private static let nothing: Set<String> = [
    "{}", "[]", #"{"isDecrypting":false,"isEncrypting":false,"isPending":false}"#, #"{"isEnabled":[]}"#,
    #"{"clusters":[],"phase":"all"}"#, #"{"containers":[]}"#,
  ]

  @Test("damaged outputs are read or refused")
  func damaged() throws {
    let inputs = try Self.inputs()
    var random = SplitMix64(seed: 4242)
    let end = Date().addingTimeInterval(Self.allowance)
    var tried = 0
    while Date() < end || tried < Self.least {
      let one = inputs[Int(random.next() % UInt64(inputs.count))]
      let other = inputs[Int(random.next() % UInt64(inputs.count))]
      let bytes = Self.damage(one, with: other, &random)
      // Encoding throws on values that JSON can't hold: infinities, NaN.
      _ = try EveryReader.facts(Data(bytes))
      tried += 1
    }
    print("fuzz: \(tried) damaged inputs of \(inputs.count)")
  }

  @Test("the readers of whole Macs, on tools that answer with anything")
  func answers() throws {
    let inputs = try Self.inputs()
    var random = SplitMix64(seed: 99)
    let end = Date().addingTimeInterval(Self.allowance)
    var tried = 0
    while Date() < end || tried < Self.least {
      var calls = 0
      let start = Int(random.next() % UInt64(inputs.count))
      let run: MacToolRunner = { command in
        calls += 1
        let source = ["/dev/disk\(calls)s1", "exfat://disk\(calls)s1/X", String(decoding: inputs[calls % inputs.count].prefix(40), as: UTF8.self)]
        if command.first == "df" { return Data("x\n\(source[(start + calls) % 3]) 1 1 1 1% /\n".utf8) }
        let answer = inputs[(start + calls * 7) % inputs.count]
        return Data(calls % 3 == 0 ? Self.damage(answer, with: inputs[start], &random) : answer)
      }
      let facts = MacMachine.read(run)
      let target = MacStorage.read("/", isVirtual: tried % 2 == 0, run)
      // Whatever they say, what is derived from them must work.
      _ = Preflight.warnings(facts, target: target)
      _ = RunReport.targetLine(target)
      _ = try JSONEncoder().encode(target)
      _ = try JSONEncoder().encode(facts.record(id: "x"))
      #expect(calls < 200)
      tried += 1
    }
    print("fuzz: \(tried) Macs of mixed answers")
  }

  @Test("a tool, a line or a value less: facts go missing, none becomes another")
  func missing() throws {
    var random = SplitMix64(seed: 38)
    let end = Date().addingTimeInterval(Self.allowance)
    let macs = try SimulatedMacTests.names.map { try Replay(directory: SimulatedMacTests.folder.path + "/" + $0).replies }
    let whole = try macs.map { try Self.facts($0, with: nil) }
    var tried = 0
    var fewer = 0
    while Date() < end || tried < Self.least {
      let mac = tried % macs.count
      let place = Int(random.next() % UInt64(macs[mac].count))
      let answer = macs[mac][place].file.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
      var lines = String(decoding: answer, as: UTF8.self).components(separatedBy: "\n")
      let line = Int(random.next() % UInt64(lines.count))
      switch random.next() % 4 {
      case 0: lines = []
      case 1: lines.removeLast(lines.count - line)
      case 2: lines.remove(at: line)
      default: lines[line] = lines[line].replacingOccurrences(of: #"(: "?|>)[^<>",]+"#, with: "$1<redacted>", options: .regularExpression)
      }
      let rest = try Self.facts(macs[mac], with: (place, Data(lines.joined(separator: "\n").utf8)))
      let others = rest.subtracting(whole[mac])
      #expect(others.isEmpty, "\(SimulatedMacTests.names[mac]), \(macs[mac][place].command), line \(line): \(others.sorted())")
      if rest.count < whole[mac].count { fewer += 1 }
      tried += 1
    }
    print("fuzz: \(tried) Macs with something missing, \(fewer) of which gave fewer facts")
    #expect(fewer > 0)
  }

  /// Each fact of a Mac as its path and value, except those for unknown values.
  private static func facts(_ replies: [Replay.Reply], with changed: (place: Int, answer: Data)?) throws -> Set<String> {
    let run: MacToolRunner = { command in
      let place = replies.firstIndex { $0.command == command }
        ?? replies.firstIndex { $0.command == command.map { $0 == "/x" ? Replay.anyPath : $0 } }
      guard let place else { return nil }
      if let changed, changed.place == place { return changed.answer }
      return replies[place].file.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    }
    let facts = MacMachine.read(run)
    let target = MacStorage.read("/x", isVirtual: facts.environment.virtualMachine != nil, deviceKey: [1], run)
    var found: Set<String> = []
    func collect(_ value: ToolValue, _ path: String) {
      for (key, entry) in value.entries { collect(entry, path + "/" + key) }
      for item in value.items { collect(item, path) }
      if value.entries.isEmpty, value.items.isEmpty { found.insert("\(path) \(value)") }
    }
    for record in [try JSONEncoder().encode(target), try JSONEncoder().encode(facts.record(id: "")), try JSONEncoder().encode(facts.environment)] {
      if let value = ToolValue(record) { collect(value, "") }
    }
    let nothing = [ToolValue.string("unknown"), .string("other"), .array([])].map { "\($0)" }
    return found.filter { fact in !nothing.contains { fact.hasSuffix($0) } }
  }

  /// All examples, and the captures short enough to be tried often.
  private static func inputs() throws -> [[UInt8]] {
    var inputs = try Fixtures.all().map { Array(try Fixtures.data($0)) }
    for name in Captures.present ? Captures.all() : [] {
      let data = try Captures.data(name)
      if data.count <= 8000 { inputs.append(Array(data)) }
    }
    return inputs
  }

  private static let tokens = [
    "99999999999999999999999", "-1", "0x", "\0", "\u{feff}", "NaN", "1e999", "<dict>", "</dict>", "<key>", "[", "{", "\"", ":",
    "(", ")", "%", "ms elapsed", "\r\n", "disk99999999999999999999s", "proc 1:1", "😀", "18446744073709551615", ",,", "..", "<",
  ]

  private static func damage(_ bytes: [UInt8], with other: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...(random.next() % 4) {
      guard !bytes.isEmpty else { return other }
      let place = Int(random.next() % UInt64(bytes.count))
      let length = min(Int(random.next() % 40), bytes.count - place)
      switch random.next() % 7 {
      case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 1: bytes.removeSubrange(place..<(place + length))
      case 2: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
      case 3: bytes.removeLast(bytes.count - place)
      case 4: bytes.replaceSubrange(place..<(place + length), with: tokens[Int(random.next() % UInt64(tokens.count))].utf8)
      case 5: bytes = Array(bytes[..<place]) + other.suffix(Int(random.next() % 2000))
      default:
        // A number may be any number.
        let digit = bytes[place...].firstIndex { (0x30...0x39).contains($0) } ?? place
        bytes.replaceSubrange(digit...digit, with: tokens[Int(random.next() % 3)].utf8)
      }
    }
    return bytes
  }
}

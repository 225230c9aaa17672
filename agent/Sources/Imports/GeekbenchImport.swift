import Base
import Document
import Formats
import Foundation
import MacTools

/// A reader for Geekbench scores: the text that its command line tool prints or exports, or its
/// JSON (.gb5, .gb6). Scores of different major versions aren't comparable, so the method carries
/// it. Both formats describe the machine in label and value pairs.
enum GeekbenchImport {
  static func read(_ data: Data) -> [ImportedRun]? {
    if let value = JSONReader.read(data), let found = scores(value) {
      let described = (value["metrics"]?.items ?? []).compactMap { item -> Described? in
        guard let label = item["name"]?.text, let text = item["value"]?.text else { return nil }
        return (label, text)
      }
      var whole = run(found.scores, version: found.version, described)
      whole.startedAt = whole.startedAt ?? ["date", "created_at"].lazy.compactMap { Moment.read(value[$0]?.text) }.first
      return [whole]
    }
    guard data.first(where: { $0 > 0x20 }) != UInt8(ascii: "[") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    // A file may hold several results, each with its title.
    let versioned = Lines.sections(of: text) { version(trimmed($0)) != nil }
    let results = versioned.isEmpty ? Lines.sections(of: text) { trimmed($0).hasPrefix("Geekbench ") } : versioned
    return results.isEmpty ? nil : results.map { result in
      let lines = Lines.of(result).map(trimmed)
      return run(lines.compactMap(score), version: version(lines[0]), lines.compactMap(described))
    }
  }

  private typealias Score = (test: String, value: Double)
  private typealias Described = (label: String, value: String)

  private static func run(_ scores: [Score], version: String?, _ described: [Described]) -> ImportedRun {
    let major = version?.prefix { $0.isNumber }
    var run = ImportedRun(
      suite: "score", tool: Tool(name: "Geekbench", version: version),
      method: MethodRecord(name: ["geekbench", major.map(String.init)].compactMap { $0 }.joined(separator: "-"), version: 1))
    // A test such as "Integer" may have two scores under one name, single-core and multi-core: drop
    // both.
    let twice = Set(scores.filter { one in scores.contains { $0.test == one.test && $0.value != one.value } }.map(\.test))
    for (test, value) in scores
    where !twice.contains(test) && !run.series.contains(where: { $0.parameters?["test"] == .text(test) }) {
      run.series.append(Series(metric: .scoreValue, parameters: ["test": .text(test)], values: [value]))
    }
    // One of the two alone means that the text was cut off.
    let tests = run.series.compactMap { $0.parameters?["test"] }
    if tests.contains("Single-Core") != tests.contains("Multi-Core") {
      run.warnings.append(Warning(.incomplete, "only one of the two scores, Single-Core and Multi-Core, is there"))
    }
    if version == nil { run.warnings.append(Warning(.toolVersionUnstated)) }
    run.stated = stated(described)
    run.startedAt = described.lazy.filter { $0.label == "Date" }.compactMap { Moment.read($0.value) }.first
    return run
  }

  private static func stated(_ described: [Described]) -> ImportedRun.Stated {
    func first(_ labels: [String], _ read: (String) -> String?) -> String? {
      described.filter { labels.contains($0.label) }.compactMap { read($0.value) }.first
    }
    var stated = ImportedRun.Stated()
    stated.model = first(["Model", "Motherboard"]) { HardwareProfile.isModel($0) ? $0 : nil }
    // "Apple M1 Pro @ 3.23 GHz". Other manufacturers' chips matter only because they aren't this
    // Mac's.
    stated.chip = first(["Processor", "Name"]) { name in
      let makers = ["Apple", "Intel", "AMD", "Qualcomm", "ARM"]
      guard makers.contains(where: { name.hasPrefix($0 + " ") || name.hasPrefix($0 + "(") }) else { return nil }
      return KernelState.chip(name.components(separatedBy: " @ ")[0])
    }
    // "macOS 15.5 (Build 24F74)"
    stated.system = first(["Operating System"]) { $0.split(separator: " ").first.map(String.init) }?.lowercased()
    let system = first(["Operating System"]) { $0.hasPrefix("macOS ") ? $0 : nil }?.split(separator: " ") ?? []
    if system.count > 1 { stated.osVersion = SystemVersion.version(String(system[1])) }
    if system.count > 3 { stated.osBuild = SystemVersion.build(String(system[3].dropLast())) }
    return stated
  }

  /// "  Operating System              macOS 26.4"
  private static func described(_ line: String) -> Described? {
    guard let gap = line.range(of: "  ") else { return nil }
    return (String(line[..<gap.lowerBound]), trimmed(line[gap.upperBound...]))
  }

  private static func scores(_ value: ToolValue) -> (scores: [Score], version: String?)? {
    guard value["score"] != nil || value["sections"] != nil, let stated = value["version"] else { return nil }
    let version = stated.text.flatMap { Self.version($0) ?? plainVersion($0) }
    if let multi = points(value["multicore_score"]), let single = points(value["score"]) {
      return ([("Single-Core", single), ("Multi-Core", multi)], version)
    }
    let sections = (value["sections"]?.items ?? []).compactMap { section -> Score? in
      guard let name = section["name"]?.text, isTest(name), let score = points(section["score"]) else { return nil }
      return (name, score)
    }
    return (sections, version)
  }

  private static func points(_ value: ToolValue?) -> Double? {
    value?.number.flatMap { $0 > 0 && $0 < 1e10 ? $0 : nil }
  }

  /// "Geekbench 6.5.0 Tryout for macOS AArch64"
  private static func version(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard words.count > 1, words[0] == "Geekbench" else { return nil }
    return words.dropFirst().lazy.compactMap { plainVersion(String($0)) }.first
  }

  private static func plainVersion(_ text: String) -> String? {
    let isVersion = text.first?.isNumber == true && text.count <= 16 && text.allSatisfy { $0.isNumber || $0 == "." }
    return isVersion ? text : nil
  }

  /// "Single-Core Score             2345"
  private static func score(_ line: String) -> Score? {
    guard let word = line.range(of: " Score") else { return nil }
    let test = trimmed(line[..<word.lowerBound])
    let rest = trimmed(line[word.upperBound...].drop { $0 == ":" })
    guard isTest(test), rest.first?.isNumber == true, let value = Quantity.number(rest), value > 0, value < 1e10
    else { return nil }
    return (test, value)
  }

  private static func isTest(_ name: String) -> Bool {
    (2...40).contains(name.count) && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " -".contains($0)) }
  }
}

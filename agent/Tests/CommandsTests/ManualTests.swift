import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands

/// Checks the manual page, the completions and the guide against the command table.
@Suite struct ManualTests {
  let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  @Test("the manual page has every command, option and exit code, and no fault that mandoc finds")
  func manual() throws {
    let page = ManualPage.text(Agent.commands)
    for command in Agent.commands {
      #expect(page.contains("\n.It Cm \(command.name)"))
      for option in command.options { #expect(page.contains("\n.It Fl -\(option.name)"), "\(option.name)") }
    }
    for code in ExitCode.allCases { #expect((page + "\n").contains("\n.It \(code.rawValue)\n")) }
    #expect(!page.split(separator: "\n").contains { $0.hasPrefix("'") })
    let file = try home.write(page, to: "macmeter.1")
    guard let verdict = World.live().run("mandoc", ["-T", "lint", "-W", "warning", file], nil) else {
      print("mandoc is not here: the manual page was not checked by it")
      return
    }
    #expect(verdict.status == 0, "\(verdict.text)")
  }

  @Test("completions have every command and option, and the shells take them", arguments: Completions.shells)
  func completions(shell: String) throws {
    let text = try #require(Completions.text(shell, Agent.commands))
    for command in Agent.commands {
      #expect(text.contains(command.name))
      for option in command.options {
        #expect(text.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"), "\(option.name)")
      }
    }
    let file = try home.write(text, to: "completions")
    guard let verdict = World.live().run(shell, ["-n", file], nil) else {
      print("\(shell) is not here: its completions were not checked by it")
      return
    }
    #expect(verdict.status == 0, "\(verdict.errors)")
  }

  @Test("the guide lists the exit codes and the commands that there are")
  func guide() throws {
    let guide = try String(contentsOf: repository.appendingPathComponent("docs/agent.md"), encoding: .utf8)
    for code in ExitCode.allCases {
      #expect(guide.contains("| \(code.rawValue) | \(code.meaning) |"), "\(code.rawValue) | \(code.meaning)")
    }
    for command in Agent.commands { #expect(guide.contains("`macmeter \(command.name)"), "\(command.name)") }
    let options = Set(Agent.commands.flatMap(\.options).map { "--" + $0.name })
    let named = guide.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
    let ofInstallScript = ["--prefix", "--system"]
    for option in named where !(["--version", "--help"] + ofInstallScript).contains(option) {
      #expect(options.contains(option), "the guide names \(option), which no command has")
    }
  }
}

@Suite struct NotTestedHereTests {
  @Test("every source with a branch that only macOS takes is in the list of what is not tested here")
  func branches() throws {
    let sources = repository.appendingPathComponent("agent/Sources")
    let list = try String(contentsOf: sources.appendingPathComponent("macmeter/NotTestedHere.swift"), encoding: .utf8)
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var branching: [String] = []
    for file in files where ["swift", "c", "S", "h"].contains((file as NSString).pathExtension) {
      let text = try String(contentsOfFile: sources.path + "/" + file, encoding: .utf8)
      guard ["canImport(", "#if os(", "__APPLE__"].contains(where: text.contains), !file.hasSuffix("NotTestedHere.swift") else { continue }
      let name = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
      branching.append(name.components(separatedBy: "+")[0])
    }
    #expect(branching.count > 20)
    for name in branching { #expect(list.contains(name), "\(name)") }
  }

  @Test("what differs between platforms stands in files of its own, under one condition around the whole")
  func platforms() throws {
    let sources = repository.appendingPathComponent("agent/Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var platforms: [String: Set<String>] = [:]
    for file in files where file.hasSuffix(".swift") {
      let lines = try String(contentsOfFile: sources.path + "/" + file, encoding: .utf8).split(separator: "\n")
      let conditions = lines.filter { line in ["#if", "#else"].contains { line.drop { $0 == " " }.hasPrefix($0) } }
      let parts = ((file as NSString).deletingPathExtension).components(separatedBy: "+")
      switch parts.last {
      case "Darwin" where parts.count > 1: #expect(conditions == ["#if canImport(Darwin)"] && lines.first == conditions.first, "\(file)")
      case "Linux" where parts.count > 1: #expect(conditions == ["#if !canImport(Darwin)"] && lines.first == conditions.first, "\(file)")
      default:
        let allowed = ["FoundationNetworking", "arch(", "#else"]
        #expect(conditions.allSatisfy { condition in allowed.contains { condition.contains($0) } }, "\(file): \(conditions)")
        continue
      }
      platforms[parts[0], default: []].insert(parts[1])
    }
    #expect(platforms.count > 10)
    for (name, each) in platforms { #expect(each == ["Darwin", "Linux"], "\(name) is there for \(each) alone") }
  }
}

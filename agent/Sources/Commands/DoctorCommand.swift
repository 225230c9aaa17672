import Base
import Foundation
import Machine

enum DoctorCommand {
  static let command = Command(
    name: "doctor", abstract: "Check that everything works, and suggest fixes",
    otherNames: ["check", "diagnose", "test"],
    operands: "[PATH]", maximumOperands: 1,
    options: [
      Option(name: "record", value: "DIR", help: "save the output of this Mac's tools to a new directory, without private data"),
      Command.json,
    ],
    discussion: """
      PATH is the directory whose storage is checked (default: the current one). Exits with 0 if everything
      works and with 2 if something does not.

      --record makes a recording to attach to a bug report; MACMETER_REPLAY reads it. It keeps only the
      facts that the agent uses and replaces everything else with placeholders. If a name, serial number or
      id of this Mac is still in it, nothing is written. Read the files before you send them.
      """
  ) { invocation, world in
    let path = try InfoCommand.directory(invocation.operands.first ?? ".", world)
    if let directory = invocation.text("record") {
      try Recording.make(in: directory, of: path, world)
      return .success
    }
    let checks = try Doctor(world: world, path: path).checks()
    let problems = checks.count { $0.state == .problem }
    if invocation.has("json") {
      world.terminal.print(try JSONText.of(Result(checks: checks, problems: problems)))
    } else {
      checks.forEach { line($0, world.terminal).forEach(world.terminal.print) }
      let end = problems == 0 ? "Everything works." : problems == 1 ? "1 problem." : "\(problems) problems."
      world.terminal.print("\n" + end)
    }
    return problems == 0 ? .success : .problemsFound
  }

  private struct Result: Encodable {
    let checks: [Doctor.Check]
    let problems: Int
  }

  private static func line(_ check: Doctor.Check, _ terminal: Terminal) -> [String] {
    let marks: [Doctor.Check.State: String] = [.works: "ok", .note: "note", .problem: "PROBLEM"]
    let mark = (marks[check.state] ?? "").padding(toLength: 9, withPad: " ", startingAt: 0)
    let first = (check.state == .problem ? terminal.bold(mark) : mark) + "\(check.name): \(check.words)"
    return [first] + (check.fix.map { [String(repeating: " ", count: 9) + $0] } ?? [])
  }
}

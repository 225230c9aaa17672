import Base
import Foundation
import Machine

enum DoctorCommand {
  static let command = Command(
    name: "doctor", abstract: "Check what works here and what does not, and say what to do",
    operands: "[PATH]", maximumOperands: 1,
    options: [
      Option(name: "record", value: "DIR", help: "write what this Mac's tools answer to a new directory, without what tells whose it is"),
      Command.json,
    ],
    discussion: """
      PATH is the directory whose storage is looked at (the present one unless told). Ends with 0 where
      everything works, with 2 where something does not. --record makes a directory that MACMETER_REPLAY
      reads, to send in with a report: only what the agent reads of this Mac stays, everything else becomes a
      stand-in, and nothing is written while a name, serial number or id of this Mac is found in it. Read it
      through before you send it.
      """
  ) { invocation, world in
    let path = try InfoCommand.directory(invocation.operands.first ?? ".", world)
    if let directory = invocation.text("record") {
      try Recording.make(in: directory, of: path, world)
      return .success
    }
    let checks = Doctor(world: world, path: path).checks()
    let problems = checks.count { $0.state == .problem }
    if invocation.has("json") {
      world.terminal.print(try JSONText.of(Result(checks: checks, problems: problems)))
    } else {
      checks.forEach { line($0, world.terminal).forEach(world.terminal.print) }
      let end = problems == 0 ? "Everything that is needed works." : problems == 1 ? "1 problem." : "\(problems) problems."
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

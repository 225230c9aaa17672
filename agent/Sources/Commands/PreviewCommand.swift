import Base
import Document
import LocalState
import Machine
import Measure

enum PreviewCommand {
  static let command = Command(
    name: "preview", abstract: "Print what a disk run would upload, without measuring",
    operands: "[PATH]", maximumOperands: 1, options: DiskRequest.planOptions + [Measuring.label, Command.json],
    discussion: "A run adds only its times, its speeds and its own warnings."
  ) { invocation, world in
    let request = try DiskRequest(invocation, world)
    let session = try Session(world)
    let facts = MachineFacts.read(world)
    let target = Target.probe(
      request.path, facts: facts, deviceKey: session.identity.keyBytes, world: world)
    let warnings = Preflight.warnings(facts, target: target)
    let frame = RunFrame(facts: facts, labels: request.labels, preflight: warnings, session: session)
    var document = DiskRun.skeleton(of: frame, plan: request.plan, target: target)
    document.warnings = warnings.isEmpty ? nil : warnings
    if invocation.has("json") {
      world.terminal.print(String(decoding: try document.encoded(), as: UTF8.self))
    } else {
      world.terminal.print(try document.readable())
    }
    try explain(session, world.terminal)
    return .success
  }

  private static func explain(_ session: Session, _ terminal: Terminal) throws {
    terminal.say("")
    terminal.say("A run adds its times, its speeds by file size and set, and its own warnings.")
    terminal.say("Never sent: serial numbers, hardware UUIDs, host and user names, paths, volume names.")
    terminal.say("The machine id is random and says nothing about the hardware.")
    if let enrolment = try session.enrolment {
      terminal.say("Runs are uploaded to \(enrolment.server), with the visibility shown when you enrolled.")
    } else {
      terminal.say("Not enrolled: nothing is sent until you run `macmeter enroll` and agree.")
    }
  }
}

import Base
import Document
import LocalState
import Upload

enum UploadCommand {
  static let command = Command(
    name: "upload", abstract: "Upload the runs that are waiting",
    otherNames: ["send", "sync", "push", "submit"], operands: "[FILE…]", maximumOperands: 1000,
    options: [
      Option(name: "attempts", value: "N", help: "how often to try if the server does not answer (default: 5)"),
      Option(name: "timeout", value: "SECONDS", help: "how long to wait for an answer (default: 60)"),
      Option(name: "refused", help: "also retry runs that the server refused"),
      Command.json,
    ],
    discussion: """
      FILE is a run that was kept outside the agent's own directory, because there was no room in it. It is
      taken in and uploaded with the others.
      """
  ) { invocation, world in
    let session = try Session(world)
    let attempts = try invocation.integer("attempts", in: 1...1000) ?? 5
    let timeout = try invocation.seconds("timeout", upTo: 3600) ?? HTTPRequest.usualTimeout
    guard timeout > 0 else { throw UsageError("--timeout must be more than 0") }
    for file in invocation.operands {
      let id = try session.spool.adopt(file, of: session.identity.machineID)
      world.terminal.say("Taken in: \(id)")
    }
    if invocation.has("refused") { try requeue(session) }
    return try upload(session, attempts: attempts, timeout: timeout, json: invocation.has("json"))
  }

  /// Requeue this machine's quarantined runs. It may not upload another machine's.
  private static func requeue(_ session: Session) throws {
    for entry in session.spool.entries([.quarantined]) {
      let document = session.spool.document(entry.id, .quarantined).flatMap { try? RunDocument(json: $0) }
      guard document?.machine.id == session.identity.machineID else { continue }
      try session.spool.requeue(entry.id)
    }
  }

  /// - Parameter highlight: runs just made, whose ranks and links are printed last.
  static func upload(
    _ session: Session, highlight: [String]? = nil, attempts: Int = 5,
    timeout: Double = HTTPRequest.usualTimeout, json: Bool = false
  ) throws -> ExitCode {
    let terminal = session.world.terminal
    let known: Enrolment?
    do { known = try session.enrolment ?? Enroller.byItself(session) } catch let error as TransportError {
      terminal.say("Kept, not uploaded: this machine could not enrol: \(error)")
      return .keptForLater
    }
    guard var enrolment = known else {
      terminal.say("macmeter: this machine is not enrolled, so it has no server to upload to. Run `macmeter enroll --server URL`, with --secret or --token if you were given one.")
      return .notEnrolled
    }
    func send() throws -> UploadReport {
      try Uploader(
        spool: session.spool, enrolment: enrolment, world: session.world, attempts: attempts, timeout: timeout
      ).sendPending()
    }
    var report = try send()
    // An admin sees a machine that is kept out among the fleet's refused ones, because it asks.
    if [.enrolAgain, .keptOut].contains(report.reason),
      let newer = try enrolAgain(session, enrolment, quietly: report.reason == .keptOut)
    {
      enrolment = newer
      let before = report
      report = try send()
      report.sent = before.sent + report.sent
      report.quarantined = before.quarantined + report.quarantined
    }
    if json { terminal.print(try JSONText.of(Result(report, enrolment))) }
    say(report, terminal)
    if report.reason == .keptOut, try !Enroller.hasSecret(session, for: enrolment) {
      terminal.say("It has no secret of the fleet, so it must be enrolled again then: `macmeter enroll`.")
    }
    let links = (highlight ?? report.sent).filter(report.sent.contains)
    if highlight != nil { RankReport.say(links, session, enrolment) }
    for id in links { terminal.say("\(enrolment.server)/runs/\(id)") }
    return exitCode(report)
  }

  /// Enrol again with this machine's secret, if it has one; the runs wait if the server can't be
  /// reached.
  private static func enrolAgain(
    _ session: Session, _ enrolment: Enrolment, quietly: Bool
  ) throws -> Enrolment? {
    do { return try Enroller.again(session, insteadOf: enrolment) } catch let error as TransportError {
      if !quietly { session.world.terminal.say("This machine could not enrol again by itself: \(error)") }
      return nil
    }
  }

  private struct Result: Encodable {
    let sent: [String]
    let quarantined: [String]
    let pending: [String]
    let server: String

    init(_ report: UploadReport, _ enrolment: Enrolment) {
      sent = report.sent
      quarantined = report.quarantined
      pending = report.pending
      server = enrolment.server
    }
  }

  private static func say(_ report: UploadReport, _ terminal: Terminal) {
    if report.sent.isEmpty, report.quarantined.isEmpty, report.pending.isEmpty {
      terminal.say("Nothing to upload.")
    }
    if !report.quarantined.isEmpty {
      terminal.say("Refused runs are kept. `macmeter runs` shows why; `macmeter upload --refused` tries again.")
    }
    guard let reason = report.reason, !report.pending.isEmpty else { return }
    terminal.say(words(reason, Figures.runs(report.pending.count)))
  }

  private static func words(_ reason: UploadReport.Reason, _ count: String) -> String {
    switch reason {
    case .notEnrolled: "\(count) kept. Run `macmeter enroll` to choose a server."
    case .enrolAgain: "\(count) kept. The server does not accept the token: run `macmeter enroll` with a new one."
    case .keptOut: "\(count) kept. Once an admin of its fleet lets this machine back in, `macmeter upload` sends them."
    case .machineBound:
      "\(count) kept. On that server this machine belongs to another token: enrol with that one, or ask its owner to release the machine."
    case .moved: "\(count) kept. Run `macmeter enroll --server URL` with the new address; the token stays the same."
    case .untrusted:
      "\(count) kept. Check the server's address, this machine's clock, and whether a proxy intercepts the connection."
    case .clockAhead: "\(count) kept. This machine's clock is ahead of the server's: correct it, then run `macmeter upload`."
    case .unreachable: "\(count) kept. Try again later with `macmeter upload`."
    case .interrupted: "\(count) kept. Stopped."
    case .uploadingElsewhere: "Another macmeter is uploading right now and will send \(count)."
    }
  }

  private static func exitCode(_ report: UploadReport) -> ExitCode {
    switch report.reason {
    case .none: report.quarantined.isEmpty ? .success : .refusedByServer
    case .notEnrolled: .notEnrolled
    case .enrolAgain, .keptOut, .machineBound, .moved: .enrolAgain
    case .interrupted: .interrupted
    case .untrusted, .clockAhead, .unreachable: .keptForLater
    case .uploadingElsewhere: .alreadyRunning
    }
  }
}

enum UploadCommand {
  static let command = Command(
    name: "upload", abstract: "Send the runs that are kept for it",
    options: [
      Option(name: "attempts", value: "N", help: "how often to try while the server does not answer (5 unless told)"),
      Command.json,
    ]
  ) { invocation, world in
    let session = try Session(world)
    session.removeLeftovers()
    let attempts = try invocation.integer("attempts", in: 1...1000) ?? 5
    return try upload(session, attempts: attempts, json: invocation.has("json"))
  }

  /// - Parameter highlight: runs whose links stand at the end, as the last words.
  static func upload(
    _ session: Session, highlight: [String]? = nil, attempts: Int = 5, json: Bool = false
  ) throws -> ExitCode {
    let terminal = session.world.terminal
    guard let enrolment = session.enrolment else {
      terminal.say("macmeter: no server is known. `macmeter enroll --server URL --token TOKEN`")
      return .notEnrolled
    }
    let report = try Uploader(
      spool: session.spool, enrolment: enrolment, world: session.world, attempts: attempts
    ).sendPending()
    if json { terminal.print(try JSONText.of(Result(report, enrolment))) }
    say(report, terminal)
    let links = (highlight ?? report.sent).filter(report.sent.contains)
    for id in links { terminal.say("\(enrolment.server)/runs/\(id)") }
    return exitCode(report)
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
    guard let reason = report.reason, !report.pending.isEmpty else { return }
    let count = report.pending.count == 1 ? "1 run" : "\(report.pending.count) runs"
    switch reason {
    case .notEnrolled: terminal.say("\(count) kept. `macmeter enroll` names the server.")
    case .enrolAgain: terminal.say("\(count) kept. The token is not accepted: enrol again with `macmeter enroll`.")
    case .clockAhead: terminal.say("\(count) kept: this machine's clock is ahead of the server's. Set it, then `macmeter upload`.")
    case .unreachable: terminal.say("\(count) kept. `macmeter upload` tries again.")
    case .interrupted: terminal.say("\(count) kept. Stopped.")
    case .uploadingElsewhere: terminal.say("Another macmeter is uploading right now; it takes \(count) along.")
    }
  }

  private static func exitCode(_ report: UploadReport) -> ExitCode {
    switch report.reason {
    case .none: report.quarantined.isEmpty ? .success : .refusedByServer
    case .notEnrolled: .notEnrolled
    case .enrolAgain: .enrolAgain
    case .interrupted: .interrupted
    case .clockAhead, .unreachable: .keptForLater
    case .uploadingElsewhere: .alreadyRunning
    }
  }
}

import Administration
import Base
import Document
import Foundation
import LocalState

/// The result of an upload.
package struct UploadReport: Equatable, Sendable {
  package var sent: [String] = []
  package var quarantined: [String] = []
  package var pending: [String] = []
  /// Why runs are still pending.
  package var reason: Reason?
  /// Whether the server asks to renew the old token.
  package var asksToRenew = false
  /// A version of the agent, known to the server, that differs from this one.
  package var newerAgent: String?

  package enum Reason: Equatable, Sendable {
    case notEnrolled, enrolAgain, keptOut, machineBound, moved, untrusted, clockAhead, unreachable, interrupted
    case uploadingElsewhere
  }
}

/// Uploader of pending runs, oldest first.
package struct Uploader {
  package let spool: Spool
  package let enrolment: Enrolment
  package let world: World
  var attempts = 5
  var timeout = HTTPRequest.usualTimeout

  package init(
    spool: Spool, enrolment: Enrolment, world: World, attempts: Int = 5,
    timeout: Double = HTTPRequest.usualTimeout
  ) {
    self.spool = spool
    self.enrolment = enrolment
    self.world = world
    self.attempts = attempts
    self.timeout = timeout
  }

  /// - Parameter only: send only this run.
  package func sendPending(only: String? = nil) throws -> UploadReport {
    var report = UploadReport()
    let waiting = spool.entries([.pending]).map(\.id).filter { only == nil || $0 == only }
    guard let lock = FileLock(spool.state.path("upload.lock")) else {
      report.pending = waiting
      report.reason = .uploadingElsewhere
      return report
    }
    try withExtendedLifetime(lock) {
      let enrolment = asKept
      defer {
        if report.asksToRenew { renew(enrolment) }
        if let newer = report.newerAgent {
          let advice = (try? Installation.find(world))?.command.map { " Run `\($0)`." } ?? ""
          world.terminal.say("A newer version of macmeter is available: \(newer). This is \(Program.version).\(advice)")
        }
      }
      for (index, id) in waiting.enumerated() {
        if let damage = spool.damage(id, .pending) {
          try putAside(id, damage, &report)
          continue
        }
        guard let document = spool.document(id, .pending) else { continue }
        try send(document, id: id, by: enrolment, report: &report)
        guard report.reason == nil || report.reason == .clockAhead else {
          report.pending += waiting[(index + 1)...]
          return
        }
      }
    }
    return report
  }

  /// The stored enrolment: another uploader may have renewed the token.
  private var asKept: Enrolment {
    guard let kept = try? Enrolment.load(spool.state), kept.server == enrolment.server, kept.machineID == enrolment.machineID
    else { return enrolment }
    return kept
  }

  private func server(_ enrolment: Enrolment) throws -> Server {
    guard let address = ServerAddress(enrolment.server) else {
      throw StateError("the enrolled server \(enrolment.server) is not a valid address; enrol again")
    }
    return Server(address: address, token: enrolment.token, world: world, timeout: timeout)
  }

  private func renew(_ enrolment: Enrolment) {
    do {
      try Renewal(state: spool.state, enrolment: enrolment, server: server(enrolment)).renew()
    } catch is Interrupted {
      return
    } catch {
      world.terminal.say("The token was not renewed and stays as it is: \(error)")
    }
  }

  private func send(_ document: Data, id: String, by enrolment: Enrolment, report: inout UploadReport) throws {
    let server = try server(enrolment)
    var backoff = Backoff(attempts: attempts)
    while true {
      switch server.put(document, id: id) {
      case .stored(let renewToken, let newerAgent):
        if renewToken { report.asksToRenew = true }
        // A run made by an older version may have waited long: this agent may be the newer one.
        if let newerAgent, newerAgent != Program.version { report.newerAgent = newerAgent }
        let link = server.address.text + "/runs/" + id
        try spool.move(id, to: .sent, note: Spool.Note(link: link))
        report.sent.append(id)
        world.terminal.say("Uploaded \(id)")
        return
      case .refused(let why):
        try spool.move(id, to: .quarantined, note: Spool.Note(reason: why))
        report.quarantined.append(id)
        world.terminal.say("The server refused \(id): \(why)")
        return
      case .held(let reason, let why): return hold(id, reason, why, &report)
      case .tryLater(let why, let retryAfter):
        if world.interrupted() { return hold(id, .interrupted, why, &report) }
        let random = Double(world.randomBytes(1)[0]) / 256
        guard let pause = backoff.next(retryAfter: retryAfter, random: random) else {
          let wish = retryAfter.map { $0 > 0 ? " (the server asks to wait \(Figures.duration($0)))" : "" } ?? ""
          return hold(id, .unreachable, why + wish, &report)
        }
        world.terminal.say("\(why). Trying again in \(Figures.duration(pause)).")
        world.sleep(pause)
      }
    }
  }

  /// Quarantine a damaged run: sending part of it is useless, and its file keeps what is left of
  /// its results.
  private func putAside(_ id: String, _ damage: String, _ report: inout UploadReport) throws {
    try spool.move(id, to: .quarantined, note: Spool.Note(reason: damage))
    report.quarantined.append(id)
    world.terminal.say("Put aside, not uploaded: \(id): \(damage). Restore it from a backup if there is one.")
  }

  private func hold(
    _ id: String, _ reason: UploadReport.Reason, _ why: String, _ report: inout UploadReport
  ) {
    spool.hold(id, reason: why)
    report.pending.append(id)
    report.reason = reason
    world.terminal.say("Kept, not uploaded: \(id): \(why)")
  }
}

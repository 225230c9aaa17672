import Base
import Foundation
import LocalState
import Upload

/// Whether this machine's runs would reach their server.
struct DoctorServer {
  let session: Session

  /// Beyond this a server refuses runs as made in the future.
  static let toleratedSkew = 600.0

  func checks() -> [Doctor.Check] {
    guard let enrolment = session.enrolment else {
      guard !Enroller.isPrepared(session) else {
        return [Doctor.Check(name: "server", state: .works, words: "prepared: this machine enrols by itself when it first uploads")]
      }
      return [
        Doctor.Check(
          name: "server", state: .note, words: "none is known; runs are kept here",
          fix: "`macmeter enroll --server URL --token TOKEN` names one.")
      ]
    }
    guard let address = ServerAddress(enrolment.server), let ready = address.url("/readyz") else {
      return [
        Doctor.Check(name: "server", state: .problem, words: "\(enrolment.server) is no address", fix: "Enrol again with `macmeter enroll`.")
      ]
    }
    let world = session.world
    let asked = world.wallClock()
    let response: HTTPResponse
    do { response = try world.http(HTTPRequest("GET", ready)) } catch {
      return [
        Doctor.Check(
          name: "server", state: .problem, words: "cannot reach \(address.text): \(error)",
          fix: "Is this machine online, and is that still the server's address? Runs are kept until then.")
      ]
    }
    guard response.status == 200 else {
      return [
        Doctor.Check(
          name: "server", state: .problem, words: "\(address.text) answers \(response.status) to /readyz",
          fix: "Is it a Macmeter server, and is it up? Runs are kept until then.")
      ]
    }
    let reached = Doctor.Check(name: "server", state: .works, words: "\(address.text) is ready")
    return [reached, token(address, enrolment)] + [clock(response, asked: asked)].compactMap { $0 }
  }

  private func token(_ address: ServerAddress, _ enrolment: Enrolment) -> Doctor.Check {
    let server = Server(address: address, token: enrolment.token, world: session.world)
    do {
      let facts = try server.tokenFacts()
      if let machine = facts.machineID, machine.lowercased() != session.identity.machineID.lowercased() {
        return Doctor.Check(
          name: "token", state: .problem, words: "it speaks for another machine",
          fix: "Each machine needs a token of its own: `macmeter enroll`.")
      }
      let words = [facts.scope.map { "\($0) token" } ?? "accepted", facts.fleet, facts.visibility.map { "runs are \($0)" }]
      return Doctor.Check(name: "token", state: .works, words: words.compactMap { $0 }.joined(separator: ", "))
    } catch {
      return Doctor.Check(name: "token", state: .problem, words: "\(error)", fix: "Enrol again with a new token: `macmeter enroll`.")
    }
  }

  /// nil where the server does not tell its time.
  private func clock(_ response: HTTPResponse, asked: Date) -> Doctor.Check? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let theirs = response.headers["date"].flatMap(format.date) else { return nil }
    let skew = asked.timeIntervalSince(theirs)
    guard abs(skew) > 60 else { return Doctor.Check(name: "clock", state: .works, words: "as the server's") }
    let words = "\(Figures.duration(abs(skew))) \(skew > 0 ? "ahead of" : "behind") the server's"
    return Doctor.Check(
      name: "clock", state: skew > Self.toleratedSkew ? .problem : .note, words: words,
      fix: "Let the system set it: runs from the future are held until the clock is right.")
  }
}

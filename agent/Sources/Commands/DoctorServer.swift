import Base
import Foundation
import LocalState
import Upload

/// Whether this machine's runs would reach their server.
struct DoctorServer {
  let session: Session

  /// Clock skew in seconds beyond which a server refuses runs as made in the future.
  static let toleratedSkew = 600.0

  /// - Throws: if interrupted.
  func checks() throws -> [Doctor.Check] {
    let known: Enrolment?
    do { known = try session.enrolment } catch let error as StateError {
      return [Doctor.Check(name: "server", state: .problem, words: error.failure, fix: error.remedy)]
    }
    guard let enrolment = known else {
      guard !Enroller.isPrepared(session) else {
        return [Doctor.Check(name: "server", state: .works, words: "prepared; this machine enrols at its first upload")]
      }
      return [
        Doctor.Check(
          name: "server", state: .note, words: "not enrolled; runs stay on this machine",
          fix: "To upload them, run `macmeter enroll --server URL`, with --secret or --token if you were given one.")
      ]
    }
    guard let address = ServerAddress(enrolment.server), let ready = address.url("/readyz") else {
      return [
        Doctor.Check(name: "server", state: .problem, words: "\(enrolment.server) is not a valid address", fix: "Enrol again with `macmeter enroll`.")
      ]
    }
    let world = session.world
    let asked = world.wallClock()
    let response: HTTPResponse
    do { response = try world.http(HTTPRequest("GET", ready)) } catch let error as TransportError {
      return [
        Doctor.Check(
          name: "server", state: .problem, words: address.unreached(error, from: world.system).description,
          fix: "Check that this machine is online and that the server's address is still right. Runs are kept.")
      ]
    }
    guard response.status == 200 else {
      return [
        Doctor.Check(
          name: "server", state: .problem, words: "\(address.text) answers \(response.status) to /readyz",
          fix: "Check that it is a Macmeter server and that it is running. Runs are kept.")
      ]
    }
    let reached = Doctor.Check(name: "server", state: .works, words: "\(address.text) is ready")
    return try [reached, token(address, enrolment)] + [clock(response, asked: asked)].compactMap { $0 }
  }

  private func token(_ address: ServerAddress, _ enrolment: Enrolment) throws -> Doctor.Check {
    let server = Server(address: address, token: enrolment.token, world: session.world)
    do {
      let facts = try server.tokenFacts()
      if let machine = facts.machineID, machine.lowercased() != session.identity.machineID.lowercased() {
        return Doctor.Check(
          name: "token", state: .problem, words: "it belongs to another machine",
          fix: "Each machine needs a token of its own: `macmeter enroll`.")
      }
      let words = [facts.scope.map { "\($0) token" } ?? "accepted", facts.fleet, facts.visibility.map { "runs are \($0)" }]
      return Doctor.Check(name: "token", state: .works, words: words.compactMap { $0 }.joined(separator: ", "))
    } catch let error as TransportError {
      return Doctor.Check(name: "token", state: .problem, words: "\(error)", fix: error.remedy ?? "Enrol again with a new token: `macmeter enroll`.")
    }
  }

  /// nil if the server does not send its time.
  private func clock(_ response: HTTPResponse, asked: Date) -> Doctor.Check? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let theirs = response.headers["date"].flatMap(format.date) else { return nil }
    let skew = asked.timeIntervalSince(theirs)
    guard abs(skew) > 60 else { return Doctor.Check(name: "clock", state: .works, words: "agrees with the server's") }
    let words = "\(Figures.duration(abs(skew))) \(skew > 0 ? "ahead of" : "behind") the server's"
    return Doctor.Check(
      name: "clock", state: skew > Self.toleratedSkew ? .problem : .note, words: words,
      fix: "Let the system set the clock. Runs with a time in the future are not uploaded.")
  }
}

import Base
import Document
import Formats
import Foundation
import LocalState

/// The server's response to one run.
package enum UploadAnswer: Equatable {
  /// The server has these bytes, now or from before. It may ask to renew an old token, and name a
  /// newer agent version than the one that made the run.
  case stored(renewToken: Bool, newerAgent: String?)
  /// Permanently refused.
  case refused(String)
  /// Not accepted now, and an automatic retry wouldn't help.
  case held(UploadReport.Reason, String)
  /// A retry may succeed.
  case tryLater(String, retryAfter: Double?)
}

/// The agent's API client.
package struct Server {
  package let address: ServerAddress
  package var token: String
  package let world: World
  /// Idle timeout in seconds.
  var timeout = HTTPRequest.usualTimeout

  package init(address: ServerAddress, token: String, world: World, timeout: Double = HTTPRequest.usualTimeout) {
    self.address = address
    self.token = token
    self.world = world
    self.timeout = timeout
  }

  package func put(_ document: Data, id: String) -> UploadAnswer {
    guard let url = address.url("/api/v1/runs/" + id) else { return .refused("not an address") }
    let response: HTTPResponse
    do {
      var headers = authorised
      headers["Content-Type"] = "application/json"
      headers["Content-Encoding"] = "gzip"
      response = try world.http(
        HTTPRequest("PUT", url, headers: headers, body: try Gzip.compress(document), timeout: timeout))
    } catch is Interrupted {
      return .held(.interrupted, "stopped")
    } catch let error as TransportError {
      let unreached = address.unreached(error, from: world.system)
      return error.isUntrusted ? .held(.untrusted, "\(unreached)") : .tryLater("\(unreached)", retryAfter: nil)
    } catch {
      return .tryLater("cannot reach \(address.text): \(error)", retryAfter: nil)
    }
    return Self.answer(response, id: id, now: world.wallClock())
  }

  /// Check that the server is a Macmeter server and ready.
  /// - Throws: an error to show to the user.
  package func checkReady() throws {
    let response = try exchange("GET", "/readyz", headers: [:])
    if let place = response.movedTo {
      throw TransportError(description: "\(address.text) has moved; enrol with --server \(place)")
    }
    guard response.status == 200 else {
      throw TransportError(
        description: "\(address.text) answers \(response.status) to /readyz; check that it is a Macmeter server")
    }
  }

  /// Whether the token is expired or unknown to the server.
  func refusesToken() throws -> Bool {
    try exchange("GET", "/api/v1/tokens/self", headers: authorised).status == 401
  }

  /// The token's permissions.
  /// - Throws: an error to show to the user, for an invalid token too.
  package func tokenFacts() throws -> TokenFacts {
    let response = try exchange("GET", "/api/v1/tokens/self", headers: authorised)
    guard response.status == 200 else {
      let problem = Problem(response)
      throw TransportError(
        description: "the server does not accept this token: \(problem.text)",
        remedy: problem.keepsOut ? "Ask an admin of the fleet. Runs are kept." : nil)
    }
    guard let facts = TokenFacts(response) else {
      throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
    }
    return facts
  }

  /// Exchange a fleet's secret, or none, for this machine's own token.
  /// - Throws: an error to show to the user.
  /// - Parameters:
  ///   - name: what the fleet calls this machine, for its readers alone.
  ///   - present: the machine's present token, which proves its identity.
  func enrol(secret: String?, name: String?, identity: Identity, present: String?) throws -> String {
    var asked = ["machine_id": identity.machineID]
    asked["secret"] = secret
    asked["name"] = name
    let body = Data(try JSONText.of(asked).utf8)
    var headers = ["Content-Type": "application/json", "Accept": "application/json"]
    headers["Authorization"] = present.map { "Bearer " + $0 }
    headers["Macmeter-Proof"] = identity.proof(for: address.text)
    let response = try exchange("POST", "/api/v1/enroll", headers: headers, body: body)
    switch response.status {
    case 200, 201:
      guard let token = ToolValue(response.body)?["token"]?.text, HTTPRequest.isHeaderSafe(token) else {
        throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
      }
      return token
    case 404, 405, 501:
      throw TransportError(
        description: "\(address.text) has no fleets to enrol in; use --token TOKEN instead")
    case 422 where name != nil && Problem(response).isUnknown("/name"):
      world.terminal.say("\(address.text) runs an older version, which knows no names of Macs: this one enrols without.")
      return try enrol(secret: secret, name: nil, identity: identity, present: present)
    default:
      let problem = Problem(response)
      // The server points at the request's member; what may be wrong with it is in the words.
      let what = secret == nil || problem.concernsMachine ? "this machine" : "this secret"
      throw TransportError(description: "the server does not accept \(what): \(problem.text)")
    }
  }

  /// A token that replaces this one at its first use.
  /// - Throws: an error to show to the user.
  func freshToken() throws -> String {
    let response = try exchange("POST", "/api/v1/tokens/self/rotation", headers: authorised)
    guard response.status == 201 else { throw TransportError(description: Problem(response).text) }
    guard let token = ToolValue(response.body)?["token"]?.text, !token.isEmpty, HTTPRequest.isHeaderSafe(token) else {
      throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
    }
    return token
  }

  /// Request a link to claim this machine. Each one invalidates the previous.
  package func claimLink(machineID: String) throws -> Claim {
    let response = try exchange("POST", "/api/v1/machines/\(machineID)/claim", headers: authorised)
    switch response.status {
    case 201:
      guard let told = ToolValue(response.body), let link = documentText(told["link"]?.text),
        let expiresAt = documentText(told["expires_at"]?.text), ServerAddress(link) != nil
      else { throw TransportError(description: "\(address.text) does not answer like a Macmeter server") }
      return .link(link, expiresAt: expiresAt)
    case 401: return .enrolAgain(Problem(response).text)
    case 404, 405, 501: return .refused("\(address.text) has no accounts that could claim a Mac")
    default: return .refused(Problem(response).text)
    }
  }

  /// Sentences on where a run's speeds rank among those of similar Macs, or on why they don't.
  /// - Throws: an error to show to the user.
  package func rank(run id: String) throws -> [String] {
    let response = try exchange("GET", "/api/v1/rank?run=" + id, headers: authorised)
    switch response.status {
    case 200:
      guard let lines = ToolValue(response.body)?["lines"]?.items.compactMap(\.text), !lines.isEmpty else {
        throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
      }
      return lines
    case 404, 405, 501: throw TransportError(description: "\(address.text) does not rank runs yet")
    default: throw TransportError(description: Problem(response).text)
    }
  }

  /// The agent that this server offers.
  /// - Throws: an error to show to the user.
  package func agentOffer() throws -> AgentOffer {
    let response = try exchange("GET", "/api/v1/agent", headers: ["Accept": "application/json"])
    switch response.status {
    case 200:
      let told = ToolValue(response.body)
      guard let version = Self.version(told?["version"]?.text) else {
        throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
      }
      return AgentOffer(version: version, canInstall: told?["install"]?.text != nil, package: documentText(told?["package"]?.text))
    case 404, 405, 501: throw TransportError(description: "\(address.text) runs an older version, which offers no agent. This one stays: \(Program.version)")
    default: throw TransportError(description: "\(address.text): \(Problem(response).text)")
    }
  }

  /// The server's `install.sh`.
  /// - Throws: an error to show to the user.
  package func installScript() throws -> String {
    let response = try exchange("GET", "/install.sh", headers: [:])
    guard response.status == 200 else { throw TransportError(description: "\(address.text): \(Problem(response).text)") }
    let text = String(decoding: response.body, as: UTF8.self)
    // A captive portal may answer 200 to anything. A script that was cut lacks its last line.
    guard text.hasPrefix("#!/bin/sh\n"), text.hasSuffix("\nmain \"$@\"\n") else {
      throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
    }
    return text
  }

  /// Request deletion of this machine and its runs.
  package func forget(machineID: String) throws -> ForgetAnswer {
    let response = try exchange("DELETE", "/api/v1/machines/" + machineID, headers: authorised)
    switch response.status {
    case 200:
      guard let outcome = ToolValue(response.body)?["outcome"]?.text else {
        throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
      }
      return outcome == "retired" ? .retired : .deleted
    case 401, 403, 404: return .unknown(Problem(response).text)
    default: throw TransportError(description: "\(address.text): \(Problem(response).text)")
    }
  }

  private func exchange(
    _ method: String, _ path: String, headers: [String: String], body: Data? = nil
  ) throws -> HTTPResponse {
    guard let url = address.url(path) else { throw TransportError(description: "not an address") }
    do {
      return try world.http(HTTPRequest(method, url, headers: headers, body: body, timeout: timeout))
    } catch let error as TransportError {
      throw address.unreached(error, from: world.system)
    }
  }

  private var authorised: [String: String] {
    ["Authorization": "Bearer " + token, "Accept": "application/json", "User-Agent": "macmeter/\(Program.version)"]
  }

  /// A valid version, safe to print; otherwise nil.
  private static func version(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 32 else { return nil }
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } } ? text : nil
  }

  static func answer(_ response: HTTPResponse, id: String, now: Date) -> UploadAnswer {
    let problem = Problem(response)
    switch response.status {
    case 200, 201:
      // A captive portal may answer 200 to anything: only a Macmeter response counts as stored.
      let told = ToolValue(response.body)
      let stored = told?["id"]?.text
      if stored?.lowercased() == id.lowercased() {
        return .stored(renewToken: told?["renew_token"] == .bool(true), newerAgent: version(told?["newer_agent"]?.text))
      }
      return .tryLater("\(response.status), but not from a Macmeter server; a sign-in page may be in between", retryAfter: nil)
    case 301, 308:
      let place = response.movedTo ?? "an unknown address"
      return .held(.moved, "\(response.status) the server has moved to \(place)")
    // The token isn't sent to wherever a temporary redirect points.
    case 300..<400:
      return .tryLater("\(response.status), redirected elsewhere; a sign-in page may be in between", retryAfter: nil)
    case 401 where problem.keepsOut, 403 where problem.keepsOut: return .held(.keptOut, problem.text)
    case 401: return .held(.enrolAgain, problem.text)
    case 403: return .held(problem.code == "machine_bound" ? .machineBound : .enrolAgain, problem.text)
    case 422 where problem.code == "clock_ahead": return .held(.clockAhead, problem.text)
    case 400, 409, 413, 415, 422: return .refused(problem.textAndPlace)
    // Includes responses of other servers, such as 404: the run is not at fault.
    default: return .tryLater(problem.text, retryAfter: response.retryAfter(now: now))
    }
  }
}

/// The newest agent that a server knows.
package struct AgentOffer: Equatable {
  package let version: String
  /// Whether its `install.sh` installs it.
  package let canInstall: Bool
  /// Address of the installer package.
  package let package: String?
}

/// The result of a machine's deletion request.
package enum ForgetAnswer: Equatable {
  case deleted
  /// Its runs belong to its fleet: an admin must delete them.
  case retired
  /// The server knows neither the machine nor its token.
  case unknown(String)
}

/// The result of requesting a link to claim this machine.
package enum Claim: Equatable {
  /// A single-use link; `expiresAt` is the server's text.
  case link(String, expiresAt: String)
  case enrolAgain(String)
  case refused(String)
}

/// A token's permissions.
package struct TokenFacts: Equatable {
  package var scope: String?
  package var visibility: String?
  package var fleet: String?
  /// The machine that a device's token is already bound to.
  package var machineID: String?
  package var licence: Licence?

  package struct Licence: Codable, Equatable {
    package var name: String?
    package var text: String?
  }

  package init?(_ response: HTTPResponse) {
    guard let value = ToolValue(response.body), !value.entries.isEmpty else { return nil }
    scope = value["scope"]?.text
    visibility = value["visibility"]?.text
    fleet = value["fleet"]?.text
    machineID = value["machine_id"]?.text
    licence = value["licence"].map { Licence(name: $0["name"]?.text, text: $0["text"]?.text) }
  }
}

extension HTTPResponse {
  /// The address of a permanent redirect, suitable for enrolling.
  var movedTo: String? {
    guard [301, 308].contains(status), let place = headers["location"],
      var parts = URLComponents(string: place), parts.host != nil
    else { return nil }
    for known in ["/api/v1/", "/readyz"] {
      if let range = parts.path.range(of: known) { parts.path = String(parts.path[..<range.lowerBound]) }
    }
    return parts.string.flatMap { ServerAddress($0)?.text }.flatMap(documentText)
  }
}

/// A server's error: application/problem+json (RFC 9457), or only a status.
struct Problem {
  let status: Int
  /// A machine-readable code.
  let code: String?
  private let words: String?
  private let pointer: String?
  /// The first error's code.
  private let reason: String?

  init(_ response: HTTPResponse) {
    status = response.status
    let value = ToolValue(response.body)
    words = value?["detail"]?.text ?? value?["title"]?.text
    pointer = value?["pointer"]?.text
    reason = value?["errors"]?.items.first?["code"]?.text
    // The code may be only in the type.
    let type = value?["type"]?.text.flatMap { type in
      type.split(whereSeparator: { $0 == "/" || $0 == ":" || $0 == "#" }).last.map(String.init)
    }
    code = value?["code"]?.text ?? type
  }

  /// Whether the server doesn't know this member of the request, as an older one may not.
  func isUnknown(_ member: String) -> Bool { pointer == member && reason == "extra_forbidden" }

  /// Whether an admin of the machine's fleet has revoked or retired it, which no token changes.
  var keepsOut: Bool { ["machine_barred", "machine_retired"].contains(code) }

  /// Whether the error is about the machine that asks.
  var concernsMachine: Bool { pointer == "/machine_id" }

  /// One line that is safe to print on a terminal, to be continued or ended by the caller.
  var text: String {
    // Proxies give no explanation.
    let why = documentText(words) ?? HTTPResponse.words(ofStatus: status)
    return "\(status) \(why.hasSuffix(".") ? String(why.dropLast()) : why)"
  }

  /// `text` with the place in the uploaded document, if the server names one.
  var textAndPlace: String { text + (documentText(pointer).map { " (\($0))" } ?? "") }
}

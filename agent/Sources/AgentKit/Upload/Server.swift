import Foundation

/// What the server said about one run.
enum UploadAnswer: Equatable {
  /// The server has these bytes, now or already.
  case stored
  /// It will never take them.
  case refused(String)
  /// Not with this token.
  case enrolAgain(String)
  /// Not yet: this machine's clock is ahead.
  case clockAhead(String)
  /// Perhaps later.
  case tryLater(String, retryAfter: Double?)
}

/// The calls the agent makes.
struct Server {
  let address: ServerAddress
  let token: String
  let world: World

  func put(_ document: Data, id: String) -> UploadAnswer {
    guard let url = address.url("/api/v1/runs/" + id) else { return .refused("not an address") }
    let response: HTTPResponse
    do {
      var headers = authorised
      headers["Content-Type"] = "application/json"
      headers["Content-Encoding"] = "gzip"
      response = try world.http(
        HTTPRequest("PUT", url, headers: headers, body: try Gzip.compress(document)))
    } catch {
      return .tryLater("cannot reach \(address.text): \(error)", retryAfter: nil)
    }
    return Self.answer(response, id: id, now: world.wallClock())
  }

  /// What a token may do.
  struct TokenFacts: Codable, Equatable {
    var scope: String?
    var visibility: String?
    var fleet: String?
    /// The machine that a device's token already speaks for.
    var machineID: String?
    var licence: Licence?

    struct Licence: Codable, Equatable {
      var name: String?
      var text: String?
    }

    enum CodingKeys: String, CodingKey {
      case scope, visibility, fleet
      case machineID = "machine_id"
      case licence
    }
  }

  /// Asks whether the server is one and is ready; throws in words.
  func checkReady() throws {
    guard let url = address.url("/readyz") else { throw TransportError(description: "not an address") }
    let response: HTTPResponse
    do { response = try world.http(HTTPRequest("GET", url)) } catch {
      throw TransportError(description: "cannot reach \(address.text): \(error)")
    }
    guard response.status == 200 else {
      throw TransportError(
        description: "\(address.text) answers \(response.status) to /readyz: is it a Macmeter server?")
    }
  }

  /// What the token may do; throws in words where it is none.
  func tokenFacts() throws -> TokenFacts {
    guard let url = address.url("/api/v1/tokens/self") else {
      throw TransportError(description: "not an address")
    }
    let response = try world.http(HTTPRequest("GET", url, headers: authorised))
    guard response.status == 200 else {
      let problem = Problem(response)
      throw TransportError(description: "the server does not know this token: \(problem.text)")
    }
    do { return try JSONDecoder().decode(TokenFacts.self, from: response.body) } catch {
      throw TransportError(description: "\(address.text) does not answer like a Macmeter server")
    }
  }

  private var authorised: [String: String] {
    ["Authorization": "Bearer " + token, "Accept": "application/json", "User-Agent": "macmeter/\(Agent.version)"]
  }

  static func answer(_ response: HTTPResponse, id: String, now: Date) -> UploadAnswer {
    let problem = Problem(response)
    switch response.status {
    case 200, 201:
      // A captive portal says 200 to anything: only the server's own words count as kept.
      if Stored(response)?.id.lowercased() == id.lowercased() { return .stored }
      return .tryLater("\(response.status), but not from a Macmeter server: is a sign-in page between?", retryAfter: nil)
    case 401, 403: return .enrolAgain(problem.text)
    case 422 where problem.code == "clock_ahead": return .clockAhead(problem.text)
    case 400, 409, 413, 415, 422: return .refused(problem.text)
    case 300..<400:
      let place = response.headers["location"] ?? "elsewhere"
      return .enrolAgain("the server has moved to \(place): enrol with its present address")
    // Also what is no server of ours, such as 404: the run is not at fault.
    default: return .tryLater(problem.text, retryAfter: response.retryAfter(now: now))
    }
  }
}

/// What the server says of a run it has.
private struct Stored: Decodable {
  var id: String

  init?(_ response: HTTPResponse) {
    guard let parsed = try? JSONDecoder().decode(Stored.self, from: response.body) else { return nil }
    self = parsed
  }
}

/// An error as servers tell it: application/problem+json (RFC 9457), or just a status.
struct Problem: Decodable {
  var status: Int?
  var title: String?
  var detail: String?
  var code: String?
  var type: String?
  var pointer: String?

  init(_ response: HTTPResponse) {
    if let parsed = try? JSONDecoder().decode(Problem.self, from: response.body) { self = parsed }
    status = response.status
    // A problem's kind may be told in its type alone.
    code = code ?? type.flatMap { $0.split(whereSeparator: { $0 == "/" || $0 == ":" || $0 == "#" }).last }
      .map(String.init)
  }

  /// In one line that is safe on a terminal.
  var text: String {
    var parts = ["\(status ?? 0)"]
    if let words = documentText(detail ?? title) { parts.append(words) }
    if let place = documentText(pointer) { parts.append("(\(place))") }
    return parts.joined(separator: " ")
  }
}

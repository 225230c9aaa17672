import CZlib
import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import LocalState
@testable import Upload

/// A server that returns responses in turn and records the requests.
private final class Script: @unchecked Sendable {
  private let lock = NSLock()
  private var answers: [HTTPResponse?]
  private(set) var requests: [HTTPRequest] = []
  private(set) var pauses: [Double] = []

  init(_ answers: [HTTPResponse?]) { self.answers = answers }

  /// A nil in the script is an unreachable server.
  func answer(_ request: HTTPRequest) throws -> HTTPResponse {
    try lock.withLock {
      requests.append(request)
      guard let answer = answers.isEmpty ? nil : answers.removeFirst() else {
        throw TransportError(description: "refused")
      }
      // Like the server, name the run in a 200 or 201, unless a script has set the body.
      guard (200...201).contains(answer.status), answer.body.isEmpty else { return answer }
      let body = Data(#"{"id":"\#(request.url.lastPathComponent)","created":true}"#.utf8)
      return HTTPResponse(status: answer.status, headers: answer.headers, body: body)
    }
  }

  func pause(_ seconds: Double) { lock.withLock { pauses.append(seconds) } }
}

/// The tokens that were on disk, in order.
private final class Kept: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var tokens: [String?] = []

  func note(_ token: String?) { lock.withLock { tokens.append(token) } }
}

private func problem(_ status: Int, _ code: String, headers: [String: String] = [:]) -> HTTPResponse {
  let body = #"{"type":"/problems/\#(code)","code":"\#(code)","detail":"In words.","pointer":"/field"}"#
  return HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
}

private func json(_ status: Int, _ text: String) -> HTTPResponse {
  HTTPResponse(status: status, body: Data(text.utf8))
}

@Suite struct UploadTests {
  let home: TemporaryDirectory
  let spool: Spool
  let first = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"
  let second = "0193a2b4-6d7e-7f80-8a1b-2c3d4e5f6a7b"

  init() throws {
    home = try TemporaryDirectory()
    spool = Spool(state: try StateDirectory(["MACMETER_HOME": home.path]))
    for id in [first, second] { try spool.add(Data("{\"id\":\"\(id)\"}".utf8), id: id) }
  }

  private func upload(_ script: Script, attempts: Int = 3) throws -> UploadReport {
    var world = World.test()
    world.http = script.answer
    world.sleep = script.pause
    let enrolment = Enrolment(server: "http://127.0.0.1:8000", token: "secret", machineID: first)
    return try Uploader(spool: spool, enrolment: enrolment, world: world, attempts: attempts).sendPending()
  }

  @Test("a stop while the server is waited for is called a stop")
  func stopped() throws {
    var world = World.test()
    world.http = { _ in throw Interrupted() }
    let enrolment = Enrolment(server: "http://127.0.0.1:8000", token: "secret", machineID: first)
    let report = try Uploader(spool: spool, enrolment: enrolment, world: world, attempts: 3).sendPending()
    #expect(report.reason == .interrupted)
    #expect(report.pending == [first, second])
    #expect(spool.entries()[0].note.reason == "stopped")
    let address = try #require(ServerAddress("http://127.0.0.1:8000"))
    #expect(throws: Interrupted.self) { try Server(address: address, token: "t", world: world).tokenFacts() }
  }

  @Test("half a run is put aside, and the others are sent")
  func half() throws {
    try spool.add(Data("{\"id\":\"\(first)".utf8), id: first)
    let report = try upload(Script([HTTPResponse(status: 201)]))
    #expect(report.quarantined == [first])
    #expect(report.sent == [second])
    #expect(spool.entries([.quarantined]).first?.note.reason?.contains("is damaged") == true)
  }

  @Test("a status without words gets those of HTTP; an unreached server of the local network a hint on a Mac")
  func words() throws {
    #expect(Problem(HTTPResponse(status: 500)).text == "500 internal server error")
    let refused = TransportError(description: "no route to host")
    for (server, isLocal) in [
      ("http://mini.local:8000", true), ("http://10.0.0.7", true), ("http://192.168.1.2", true), ("http://172.20.0.1", true),
      ("http://server", true), ("http://[fe80::1]", true), ("https://macs.example.org", false), ("http://172.32.0.1", false),
      ("http://localhost:8000", false), ("http://127.0.0.1", false), ("http://8.8.8.8", false),
    ] {
      let address = try #require(ServerAddress(server))
      #expect("\(address.unreached(refused, from: .macOS))".contains("Local Network") == isLocal, "\(server)")
      #expect("\(address.unreached(refused, from: .linux))" == "cannot reach \(server): no route to host")
    }
  }

  private func fates() -> [Spool.RunFate] { spool.entries().map(\.state) }

  @Test("stored now or already: sent, oldest first, with the token and gzipped exact bytes")
  func stored() throws {
    let script = Script([HTTPResponse(status: 201), HTTPResponse(status: 200)])
    let report = try upload(script)
    #expect(report.sent == [first, second])
    #expect(report.reason == nil)
    #expect(fates() == [.sent, .sent])
    #expect(spool.entries()[0].note.link == "http://127.0.0.1:8000/runs/\(first)")
    let request = try #require(script.requests.first)
    #expect(request.method == "PUT")
    #expect(request.url.absoluteString == "http://127.0.0.1:8000/api/v1/runs/\(first)")
    #expect(request.headers["Authorization"] == "Bearer secret")
    #expect(request.headers["Content-Encoding"] == "gzip")
    #expect(try gunzip(#require(request.body)) == spool.document(first, .sent))
  }

  /// The output of an upload if the server names this version for both runs.
  private func said(newerAgent: String) throws -> [String] {
    let named = #""newer_agent":"\#(newerAgent)""#
    let script = Script([first, second].map { json(201, #"{"id":"\#($0)",\#(named)}"#) })
    let transcript = Transcript()
    var world = World.test(transcript: transcript)
    world.http = script.answer
    let enrolment = Enrolment(server: "http://127.0.0.1:8000", token: "secret", machineID: first)
    let report = try Uploader(spool: spool, enrolment: enrolment, world: world).sendPending()
    #expect(report.sent == [first, second])
    return transcript.said.split(separator: "\n").map(String.init).filter { $0.contains("newer version") }
  }

  @Test("a newer version of the agent is named once, whatever is uploaded")
  func newerAgent() throws {
    let words = try said(newerAgent: "99.1.0")
    #expect(words == ["A newer version of macmeter is available: 99.1.0. This is \(Program.version)."])
  }

  @Test("the version that runs, or a text that is none, is not named", arguments: [
    Program.version, "", "9\\u001b[2J", "nine", "9.", "9 9", String(repeating: "9", count: 33),
  ])
  func noNewerAgent(text: String) throws {
    #expect(try said(newerAgent: text).isEmpty)
  }

  private func storedBy(token: String) throws -> Enrolment {
    let enrolment = Enrolment(server: "http://127.0.0.1:8000", token: token, machineID: first)
    try enrolment.store(spool.state)
    return enrolment
  }

  @Test("a server that asks for it: a fresh token, on disk before it is used, once for all runs")
  func renewed() throws {
    let old = try storedBy(token: "secret")
    let state = spool.state
    func put(_ id: String) -> HTTPResponse { json(201, #"{"id":"\#(id)","renew_token":true}"#) }
    let script = Script([
      put(first), put(second), json(201, #"{"token":"fresh"}"#), json(200, #"{"scope":"device"}"#),
    ])
    let kept = Kept()
    var world = World.test()
    world.http = { request in
      kept.note((try? Enrolment.load(state))??.token)
      return try script.answer(request)
    }
    let report = try Uploader(spool: spool, enrolment: old, world: world).sendPending()
    #expect(report.sent == [first, second])
    #expect(script.requests.map { $0.method + " " + $0.url.lastPathComponent } == ["PUT \(first)", "PUT \(second)", "POST rotation", "GET self"])
    #expect(script.requests.map { $0.headers["Authorization"] } == ["secret", "secret", "secret", "fresh"].map { "Bearer " + $0 })
    #expect(kept.tokens == ["secret", "secret", "secret", "fresh"])
    #expect(try Enrolment.load(state)?.token == "fresh")
  }

  @Test("no fresh token: the old one stays, and the runs are sent", arguments: [
    problem(404, "not_found"), problem(503, "busy"), json(201, #"{"token":""}"#), json(201, "a page"), json(201, #"{"token":"a b"}"#), nil,
  ])
  func notRenewed(answer: HTTPResponse?) throws {
    _ = try storedBy(token: "secret")
    let put = json(201, #"{"id":"\#(first)","renew_token":true}"#)
    try spool.move(second, to: .sent, note: Spool.Note(link: ""))
    let report = try upload(Script([put, answer]))
    #expect(report.sent == [first])
    #expect(report.reason == nil)
    #expect(try Enrolment.load(spool.state)?.token == "secret")
  }

  @Test("whoever uploaded until now may have renewed the token")
  func renewedElsewhere() throws {
    _ = try storedBy(token: "fresh")
    let script = Script([HTTPResponse(status: 201), HTTPResponse(status: 201)])
    _ = try upload(script)
    #expect(script.requests.first?.headers["Authorization"] == "Bearer fresh")
  }

  @Test("a sign-in page that answers 200 to everything has not got the run")
  func captivePortal() throws {
    let page = HTTPResponse(status: 200, body: Data("<html>Welcome to the hotel</html>".utf8))
    let other = HTTPResponse(status: 201, body: Data(#"{"id":"\#(second)"}"#.utf8))
    let report = try upload(Script([page, other]), attempts: 2)
    #expect(report.sent.isEmpty)
    #expect(report.reason == .unreachable)
    #expect(fates() == [.pending, .pending])
  }

  @Test("what the server will never take is kept aside with its reason", arguments: [409, 413, 415, 422])
  func refused(status: Int) throws {
    let report = try upload(Script([problem(status, "invalid_value"), HTTPResponse(status: 201)]))
    #expect(report.quarantined == [first])
    #expect(report.sent == [second])
    #expect(spool.entries()[0].note.reason == "\(status) In words (/field)")
    #expect(spool.document(first, .quarantined) != nil)
  }

  @Test("without a good token nothing more is tried and nothing is lost", arguments: [401, 403])
  func enrolAgain(status: Int) throws {
    let script = Script([problem(status, "not_allowed")])
    let report = try upload(script)
    #expect(report.reason == .enrolAgain)
    #expect(report.pending == [first, second])
    #expect(script.requests.count == 1)
    #expect(fates() == [.pending, .pending])
  }

  @Test(
    "a machine that an admin keeps out isn't sent to enrol again",
    arguments: [401, 403], ["machine_barred", "machine_retired"])
  func keptOut(status: Int, code: String) throws {
    let report = try upload(Script([problem(status, code)]))
    #expect(report.reason == .keptOut)
    #expect(fates() == [.pending, .pending])
  }

  @Test("of a machine that another token speaks for, nothing is sent and nothing lost")
  func machineBound() throws {
    let report = try upload(Script([problem(403, "machine_bound")]))
    #expect(report.reason == .machineBound)
    #expect(report.pending == [first, second])
  }

  @Test("a server's new address is given in the form to enrol with")
  func moved() throws {
    let place = { (text: String) in HTTPResponse(status: 308, headers: ["location": text]).movedTo }
    #expect(place("https://new.example.org/api/v1/runs/x") == "https://new.example.org")
    #expect(place("https://new.example.org/macs/readyz?x=1") == "https://new.example.org/macs")
    #expect(place("/elsewhere") == nil)
    #expect(place("ftp://x/") == nil)
    #expect(HTTPResponse(status: 302, headers: ["location": "https://hotel.example/"]).movedTo == nil)
  }

  @Test("what was refused can be sent again")
  func again() throws {
    _ = try upload(Script([problem(409, "id_taken"), HTTPResponse(status: 201)]))
    try spool.requeue(first)
    #expect(spool.entries([.pending]).map(\.id) == [first])
    #expect(spool.entries([.pending])[0].note == Spool.Note())
    #expect(try upload(Script([HTTPResponse(status: 201)])).sent == [first])
  }

  @Test("a run from the future is held; others go on")
  func clockAhead() throws {
    let report = try upload(Script([problem(422, "clock_ahead"), HTTPResponse(status: 201)]))
    #expect(report.reason == .clockAhead)
    #expect(report.pending == [first])
    #expect(report.sent == [second])
  }

  @Test("a busy server is asked again after what it says, a bounded number of times")
  func busy() throws {
    let script = Script([
      problem(429, "slow_down", headers: ["retry-after": "7"]), HTTPResponse(status: 503), HTTPResponse(status: 201),
      HTTPResponse(status: 201),
    ])
    let report = try upload(script)
    #expect(report.sent == [first, second])
    #expect(script.pauses.first == 7)
    #expect(script.pauses.count == 2)
  }

  @Test("one's own limit, a full server and a full disk are waited for", arguments: [429, 503, 507])
  func full(status: Int) throws {
    let script = Script([
      problem(status, "full", headers: ["retry-after": "7"]), HTTPResponse(status: 201), HTTPResponse(status: 201),
    ])
    let report = try upload(script)
    #expect(report.sent == [first, second])
    #expect(script.pauses == [7])
  }

  @Test("a server that is not there leaves everything pending")
  func unreachable() throws {
    let script = Script([])
    let report = try upload(script)
    #expect(report.reason == .unreachable)
    #expect(report.pending == [first, second])
    #expect(script.requests.count == 3)
    #expect(fates() == [.pending, .pending])
  }

  @Test("a wrong address quarantines nothing", arguments: [404, 405, 500, 302])
  func wrongAddress(status: Int) throws {
    let report = try upload(Script(Array(repeating: HTTPResponse(status: status), count: 9)))
    #expect(report.quarantined.isEmpty)
    #expect(fates() == [.pending, .pending])
  }

  @Test("two agents do not upload at once")
  func lock() throws {
    let held = FileLock(spool.state.path("upload.lock"))
    #expect(held != nil)
    let script = Script([HTTPResponse(status: 201)])
    let report = try upload(script)
    #expect(report.reason == .uploadingElsewhere)
    #expect(script.requests.isEmpty)
  }

  @Test("waits grow, stay in bounds, and end")
  func backoff() {
    var backoff = Backoff(attempts: 12)
    var waits: [Double] = []
    while let wait = backoff.next(retryAfter: nil, random: 0) { waits.append(wait) }
    #expect(waits.count == 11)
    #expect(waits == waits.sorted())
    #expect(waits.first == 0.5)
    #expect(waits.last == 15)
    var obedient = Backoff(attempts: 3)
    #expect(obedient.next(retryAfter: 120, random: 0.5) == 120)
    // Too long to wait: a later upload retries.
    #expect(obedient.next(retryAfter: 3600, random: 0.5) == nil)
  }

  @Test("Retry-After is read as seconds and as a date")
  func retryAfter() {
    let now = Date(timeIntervalSince1970: 1_795_168_800)  // Fri, 20 Nov 2026 10:00:00 GMT
    let answer = { (text: String) in
      HTTPResponse(status: 429, headers: ["retry-after": text]).retryAfter(now: now)
    }
    #expect(answer("12") == 12)
    #expect(answer("Fri, 20 Nov 2026 10:01:30 GMT") == 90)
    #expect(answer("Fri, 20 Nov 2026 09:00:00 GMT") == 0)
    #expect(answer("soon") == nil)
    for odd in ["", "-5", "nan", "inf", "1e300", "½"] { #expect(answer(odd) == nil, "\(odd)") }
    let year: Double? = 31_622_400
    #expect(answer(String(repeating: "9", count: 30)) == year)
    #expect(answer("Fri, 20 Nov 9999 10:01:30 GMT") == year)
  }

  @Test("a problem's words are safe to print")
  func hostileProblem() {
    let body = #"{"detail":"\u001b[2Jowned\u0007","code":"x"}"#
    let text = Problem(HTTPResponse(status: 422, body: Data(body.utf8))).text
    #expect(text == "422 [2Jowned")
    #expect(Problem(HTTPResponse(status: 500, body: Data("<html>".utf8))).text == "500 internal server error")
  }

  @Test("addresses of servers, as people type them")
  func addresses() {
    #expect(ServerAddress(" https://Example.org/ ")?.text == "https://Example.org")
    #expect(ServerAddress("http://127.0.0.1:8000//")?.text == "http://127.0.0.1:8000")
    #expect(ServerAddress("https://example.org/macmeter/?q=1#x")?.text == "https://example.org/macmeter")
    for wrong in ["", "example.org", "ftp://example.org", "https://", "https://user:pass@example.org", "http://127.0.0.1:99999"] {
      #expect(ServerAddress(wrong) == nil)
    }
    #expect(ServerAddress("http://example.org")?.isReadableOnTheWay == true)
    #expect(ServerAddress("http://127.0.0.1:1")?.isReadableOnTheWay == false)
    #expect(ServerAddress("https://example.org")?.isReadableOnTheWay == false)
  }

  private func gunzip(_ data: Data) throws -> Data {
    var stream = z_stream()
    try #require(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    var output = [UInt8](repeating: 0, count: 1 << 20)
    let status = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { sink in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = sink.baseAddress
        stream.avail_out = UInt32(sink.count)
        return inflate(&stream, Z_FINISH)
      }
    }
    try #require(status == Z_STREAM_END)
    return Data(output.prefix(Int(stream.total_out)))
  }
}

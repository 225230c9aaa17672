import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState

@Suite struct RankTests {
  let home: TemporaryDirectory
  let transcript = Transcript()
  let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"

  init() throws { home = try TemporaryDirectory() }

  /// What is said of an uploaded run of this method if the server answers so, or not at all.
  private func said(_ method: String, suite: String = "disk", _ answer: HTTPResponse?) throws -> [String] {
    var world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
    let address = "http://127.0.0.1:8000/api/v1/rank?run=\(id)"
    world.http = { request in
      #expect(request.url.absoluteString == address)
      guard let answer else { throw TransportError(description: "refused") }
      return answer
    }
    let session = try Session(world)
    let document = #"""
      {"schema":"macmeter.run/1","id":"\#(id)","suite":"\#(suite)","source":"measured","state":"complete",
      "method":{"name":"\#(method)","version":2},"machine":{"id":"\#(session.identity.machineID)"},"series":[]}
      """#
    try session.spool.add(Data(document.utf8), id: id)
    try session.spool.move(id, to: .sent, note: Spool.Note())
    let enrolment = Enrolment(server: "http://127.0.0.1:8000", token: "t", machineID: session.identity.machineID)
    RankReport.say([id], session, enrolment)
    #expect(transcript.printed.isEmpty)
    return transcript.said.split(separator: "\n").map(String.init)
  }

  private func answer(_ status: Int, _ body: String = "") -> HTTPResponse {
    HTTPResponse(status: status, body: Data(body.utf8))
  }

  @Test("the server's sentences come first, and the full test is offered after a quick one")
  func quick() throws {
    let lines = try said("graded-files-quick", answer(200, #"{"lines":["Faster than 62\u2009% of 41.","Slower."]}"#))
    #expect(lines == ["Faster than 62\u{2009}% of 41.", "Slower.", RankReport.offer])
  }

  @Test("a full run has its rank alone")
  func full() throws {
    #expect(try said("graded-files", answer(200, #"{"lines":["Faster."]}"#)) == ["Faster."])
  }

  @Test("other runs are not asked about", arguments: [("latency", "disk"), ("thread-sweep", "compression")])
  func others(method: String, suite: String) throws {
    #expect(try said(method, suite: suite, nil).isEmpty)
  }

  @Test("without an answer it says why", arguments: [200, 401, 404, 500, nil] as [Int?])
  func unanswered(status: Int?) throws {
    let lines = try said("graded-files", status.map { answer($0, "<html>") })
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("No rank among similar Macs: "))
  }
}

import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import LocalState

@Suite struct SessionTests {
  private let home: TemporaryDirectory
  private let state: StateDirectory
  private let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"

  init() throws {
    home = try TemporaryDirectory()
    state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
  }

  @Test("a clone loses the enrolment, and runs of the original are put aside")
  func session() throws {
    let transcript = Transcript()
    var world = World.real(["MACMETER_HOME": state.path], transcript: transcript)
    let read = world.readText
    world.readText = { $0 == "/etc/machine-id" ? "original" : read($0) }
    let original = try Session(world)
    try Enrolment(server: "https://example.org", token: "t", machineID: original.identity.machineID)
      .store(original.state)
    try original.spool.add(Data("{}".utf8), id: id)
    #expect(try original.enrolment != nil)
    world.readText = { $0 == "/etc/machine-id" ? "clone" : read($0) }
    let clone = try Session(world)
    #if !canImport(Darwin)
      #expect(clone.identity.machineID != original.identity.machineID)
      #expect(try clone.enrolment == nil)
      #expect(clone.spool.entries().map(\.state) == [.quarantined])
      #expect(transcript.said.contains("enrol again"))
    #endif
  }
}

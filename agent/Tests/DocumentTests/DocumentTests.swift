import Foundation
import TestSupport
import Testing

@testable import Document

@Suite struct DocumentTests {
  static let golden = ["minimal", "full", "unknown_chip_and_enums", "hostile", "published"]

  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: repository.appendingPathComponent("tests/documents/\(name).json"))
  }

  @Test("every golden document comes back as it was", arguments: golden)
  func roundTrip(name: String) throws {
    let bytes = try Self.data(name)
    let document = try RunDocument(json: bytes)
    let before = try JSONSerialization.jsonObject(with: bytes) as? NSDictionary
    let after = try JSONSerialization.jsonObject(with: document.encoded()) as? NSDictionary
    #expect(before != nil)
    #expect(before == after)
  }

  @Test("no golden document is missing from this list")
  func allAreRead() throws {
    let folder = repository.appendingPathComponent("tests/documents").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(Set(names) == Set(Self.golden.map { $0 + ".json" }))
  }

  @Test("names from the future are kept as they are")
  func unknownNames() throws {
    let document = try RunDocument(json: Self.data("unknown_chip_and_enums"))
    #expect(document.target?.storage == Storage("thunderbolt9"))
    #expect(document.target?.encryption == Encryption("rot26"))
    #expect(document.target?.image?.format == ImageFormat("qcow9"))
    #expect(document.warnings?.first?.code == WarningCode("gremlins_seen"))
    #expect(document.machine.coreTiers?.map(\.name) == ["Super", "Performance", "Whisper"])
  }

  @Test("an explicit null is the same as absence")
  func nullIsAbsent() throws {
    let text = #"""
      {"schema":"macmeter.run/1","id":"0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b","suite":"disk",
       "source":"measured","state":"complete","method":{"name":"graded-files","version":1},
       "machine":{"id":"5f2c1a9e-7b3d-4c6f-8e21-9a0b3c4d5e6f","chip":null},
       "target":{"storage":"internal","link_speed":null,"via":null},"series":[]}
      """#
    let document = try RunDocument(json: Data(text.utf8))
    #expect(document.machine.chip == nil)
    let encoded = String(decoding: try document.encoded(), as: UTF8.self)
    #expect(!encoded.contains("null"))
  }

  @Test("one document is always the same bytes")
  func stableBytes() throws {
    let document = try RunDocument(json: Self.data("full"))
    #expect(try document.encoded() == RunDocument(json: document.encoded()).encoded())
  }

  @Test("text from outside loses control characters and what exceeds 256 characters")
  func cleaning() {
    #expect(documentText("  Mac\u{0} mini\u{1b}[31m \n") == "Mac mini[31m")
    #expect(documentText("\u{7}\n ") == nil)
    #expect(documentText(nil) == nil)
    #expect(documentText(String(repeating: "é", count: 400))?.unicodeScalars.count == 256)
  }

  @Test("moments are written in UTC to the millisecond")
  func timestamps() {
    let stamp = Timestamp(Date(timeIntervalSince1970: 1_795_168_800.2506))
    #expect(stamp.rawValue == "2026-11-20T10:00:00.250Z")
    #expect(stamp.dayAndMinute == "2026-11-20 10:00")
  }

  @Test("run ids are UUIDs of version 7 that order by time")
  func runIdentifiers() {
    let random = [UInt8](repeating: 0xff, count: 10)
    let first = RunIdentifier.make(at: Date(timeIntervalSince1970: 1_795_168_800), random: random)
    let second = RunIdentifier.make(at: Date(timeIntervalSince1970: 1_795_168_800.001), random: [UInt8](repeating: 0, count: 10))
    #expect(RunIdentifier.isValid(first))
    #expect(Array(first)[14] == "7")
    #expect("89ab".contains(Array(first)[19]))
    #expect(first < second)
    #expect(!RunIdentifier.isValid("../../../etc/passwd"))
  }
}

import Foundation
import TestSupport
import Testing



/// Checks that whatever captures test is also tested on composed output, so that a clone without
/// captures tests as much.
@Suite struct CompositionTests {
  /// Suites that read captures, and their composed counterparts.
  private static let suites = [
    "MacToolsMachineCaptureTests": "ComposedMachineTests", "MacToolsPowerCaptureTests": "ComposedPowerTests",
    "MacToolsStorageCaptureTests": "ComposedStorageTests", "ImportsCaptureTests": "ComposedImportTests",
    "CapturedMacTests": "SimulatedMacTests",
  ]
  private static let folder = repository.appendingPathComponent("agent/Tests")
  /// Test files of all targets, by suite name.
  private static let files: [String: URL] = {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let sources = paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("DarwinStubs/") }.map(folder.appendingPathComponent)
    return Dictionary(sources.map { ($0.deletingPathExtension().lastPathComponent, $0) }) { first, _ in first }
  }()

  private func text(_ name: String) throws -> String {
    try String(contentsOf: #require(Self.files[name]), encoding: .utf8)
  }

  private func tests(_ text: String) -> Set<String> {
    Set(text.components(separatedBy: "@Test(").dropFirst().compactMap { part in
      part.components(separatedBy: "  func ").dropFirst().first?.prefix { $0 != "(" }
    }.map(String.init))
  }

  @Test("each test of a captured answer has one of the same name of a composed answer")
  func counterparts() throws {
    for (captured, composed) in Self.suites where composed.hasPrefix("Composed") {
      let wanted = tests(try text(captured))
      #expect(!wanted.isEmpty)
      let missing = wanted.subtracting(tests(try text(composed)))
      #expect(missing.isEmpty, "\(captured) has \(missing) that \(composed) lacks")
    }
  }

  @Test("no suite reads captures that is not listed here, and none reads nothing in silence")
  func listed() throws {
    let alsoComposed: Set = ["MacToolsSupport", "MacToolsPrivacyTests", "MacToolsFuzzTests", "RecordingTests", "CompositionTests"]
    #expect(Self.files.count > 45)
    for name in Self.files.keys.sorted() {
      let source = try text(name)
      guard source.contains("Captures."), !alsoComposed.contains(name) else { continue }
      #expect(Self.suites[name] != nil, "\(name) reads captures")
      #expect(source.contains("@Suite(Captures.counted)"), "\(name) does not say how many captures it reads")
    }
  }
}

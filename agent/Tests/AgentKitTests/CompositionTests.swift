import Foundation
import Testing

@testable import AgentKit

/// What captures prove is proved by composed answers too, so that a clone without them tests as much.
@Suite struct CompositionTests {
  /// Suites that read captures, and those that stand for them.
  private static let suites = [
    "MacToolsMachineCaptureTests": "ComposedMachineTests", "MacToolsPowerCaptureTests": "ComposedPowerTests",
    "MacToolsStorageCaptureTests": "ComposedStorageTests", "ImportsCaptureTests": "ComposedImportTests",
    "CapturedMacTests": "SimulatedMacTests",
  ]
  private static let folder = repository.appendingPathComponent("agent/Tests/AgentKitTests")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name + ".swift"), encoding: .utf8)
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
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where file.hasSuffix(".swift") {
      let name = String(file.dropLast(".swift".count))
      let source = try text(name)
      guard source.contains("Captures."), !alsoComposed.contains(name) else { continue }
      #expect(Self.suites[name] != nil, "\(name) reads captures")
      #expect(source.contains("@Suite(Captures.counted)"), "\(name) does not say how many captures it reads")
    }
  }
}

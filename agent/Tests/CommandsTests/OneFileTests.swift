import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState
@testable import Machine
@testable import Measure

@Suite struct OneFileTests {
  private let home = try! TemporaryDirectory()
  private let target = TargetRecord(storage: .internal)

  private func frame() throws -> RunFrame {
    RunFrame(
      facts: MachineFacts(), labels: nil, preflight: [],
      session: try Session(.real(["MACMETER_HOME": home.path + "/state"])))
  }

  private func plan(_ kind: OneFilePlan.Method, repetitions: Int = 3) -> OneFilePlan {
    OneFilePlan(kind, bytes: 1_000_000, repetitions: repetitions, seed: 7)
  }

  private func trim(
    repetitions: Int = 3, _ trim: @escaping (String) throws -> Int
  ) throws -> (document: RunDocument, outcome: OneFileOutcome) {
    let frame = try frame()
    return try TrimRun(trim: trim).perform(
      plan(.trim, repetitions: repetitions), path: home.path, target: target, frame: frame,
      progress: ProgressLine(phases: 1, world: frame.session.world, quiet: true))
  }

  @Test("each trim but the first is timed, when its file is gone")
  func trims() throws {
    var directories: [[String]] = []
    let (document, outcome) = try trim { directory in
      directories.append(try FileManager.default.contentsOfDirectory(atPath: directory))
      return 5_000_000
    }
    #expect(directories == [[], [], [], []])
    #expect(outcome.ending == .complete)
    let series = try #require(document.series.first)
    #expect((document.series.count, series.metric, series.positions) == (1, .diskTrimSpeed, [1, 2, 3]))
    #expect(series.parameters == ["file_size": 1_000_000])
    #expect(series.values.allSatisfy { $0 > 0 })
    #expect((document.method.name, document.method.version, document.state) == ("trim", 1, .complete))
    #expect(document.method.parameters == ["repetitions": 3, "seed": 7, "block_size": 1_048_576])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["state"])
  }

  @Test("where the file system has trimmed already nothing is measured, and no speed is zero")
  func trimmedBefore() throws {
    let (document, outcome) = try trim { _ in 0 }
    #expect(document.series.isEmpty)
    #expect(outcome.ending == .complete)
  }

  @Test("a volume that cannot be trimmed is refused before anything is written")
  func refused() throws {
    #expect(throws: UsageError.self) { try trim { _ in throw TransferError(call: "FITRIM", code: EOPNOTSUPP) } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["state"])
  }

  @Test("a trim that fails later ends the run and keeps the speeds before it")
  func fails() throws {
    var trims = 0
    let (document, outcome) = try trim { _ in
      trims += 1
      if trims == 3 { throw TransferError(call: "FITRIM", code: EIO) }
      return 1
    }
    #expect(outcome.speeds.count == 1)
    #expect(document.state == .incomplete)
    guard case .failed(let why) = outcome.ending else { return #expect(Bool(false)) }
    #expect(why.contains("FITRIM"))
  }

  @Test("one file is read as often as asked, out of an emptied cache")
  func streamRead() throws {
    let frame = try frame()
    let (document, outcome) = try StreamReadRun.perform(
      plan(.streamRead, repetitions: 2), path: home.path, target: target, frame: frame,
      progress: ProgressLine(phases: 2, world: frame.session.world, quiet: true))
    #expect(outcome.ending == .complete)
    #expect(document.series.map(\.metric) == [.diskStreamReadSpeed])
    #expect(document.series.first?.values.count == 2)
    #expect(document.method.name == "stream-read")
    #expect(document.method.parameters?["cache"] == "invalidated")
    #expect(document.method.parameters?["direct"] != nil)
  }

  @Test("a quick run is a method of its own")
  func quick() {
    var quick = plan(.streamRead)
    quick.quick = true
    #expect(quick.method == "stream-read-quick")
  }
}

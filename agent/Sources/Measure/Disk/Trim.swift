import Base
import Document
import Foundation

/// What a run of `trim` will do: fill part of the free space, free it again, and have the file system
/// tell the device of all that is free, as often as asked.
package struct TrimPlan: Equatable, Sendable {
  package static let version = 1

  package let bytes: Int
  package let repetitions: Int
  package let seed: Int
  package let blockSize: Int
  package let quick: Bool

  package init(bytes: Int, repetitions: Int, seed: Int, blockSize: Int, quick: Bool) {
    self.bytes = bytes
    self.repetitions = repetitions
    self.seed = seed
    self.blockSize = blockSize
    self.quick = quick
  }

  package var method: String { quick ? "trim-quick" : "trim" }
}

/// Everything a run of `trim` found out, finished or not.
package struct TrimOutcome: Sendable {
  /// Bytes a second of each trim.
  package var speeds: [Double] = []
  package var ending = RunEnding.complete
}

/// A run of `trim`, from its first file to its document.
package enum TrimRun {
  /// - Throws: UsageError where the file system, its device or this user cannot trim.
  package static func perform(
    _ plan: TrimPlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: TrimOutcome) {
    let world = frame.session.world
    return try frame.inTestDirectory(of: path) { directory in
      // What was free before is trimmed now, and not in the first measurement.
      do { _ = try trim(directory.path) } catch {
        throw UsageError("\(path) cannot be trimmed: \(error). This needs Linux, root, and a device that supports it")
      }
      let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: world)
      var outcome = TrimOutcome()
      defer { progress.finish() }
      progress.begin("Writing", bytes: plan.bytes * plan.repetitions)
      do {
        for repetition in 1...plan.repetitions {
          let file = directory.path + "/" + PlannedFile(position: repetition, set: 1, bytes: plan.bytes).name
          _ = try transfer.write(file, bytes: plan.bytes, progress: progress.advance(bytes:))
          guard unlink(file) == 0 else { throw TransferError(call: "unlink", code: errno) }
          sync()
          let started = world.monotonic()
          let trimmed = try trim(directory.path)
          let seconds = Double(max(1, world.monotonic() - started)) / 1e9
          // Zero if the file system trimmed the file as it was removed.
          if trimmed > 0 { outcome.speeds.append(Double(trimmed) / seconds) }
        }
      } catch {
        outcome.ending = RunEnding(error)
      }
      return (document(plan, outcome, target, frame), outcome)
    }
  }

  /// - Returns: how many bytes were trimmed.
  private static func trim(_ directory: String) throws -> Int {
    let descriptor = open(directory, O_RDONLY)
    guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
    defer { close(descriptor) }
    return try trimFreeSpace(descriptor)
  }

  private static func document(
    _ plan: TrimPlan, _ outcome: TrimOutcome, _ target: TargetRecord, _ frame: RunFrame
  ) -> RunDocument {
    let series = outcome.speeds.isEmpty ? [] : [Series(
      metric: .diskTrimSpeed, parameters: ["file_size": .integer(plan.bytes)],
      values: outcome.speeds.map { $0.rounded() }, positions: Array(1...outcome.speeds.count))]
    return frame.document(
      suite: "disk",
      method: MethodRecord(name: plan.method, version: TrimPlan.version, parameters: [
        "repetitions": .integer(plan.repetitions), "seed": .integer(plan.seed), "block_size": .integer(plan.blockSize),
      ]),
      target: target, series: series, ending: outcome.ending, warnings: [])
  }
}

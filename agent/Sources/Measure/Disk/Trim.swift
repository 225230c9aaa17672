import Base
import Document
import Foundation

/// A run of `trim`, from first file to document: fills part of the free space, frees it, and trims
/// all free space.
package struct TrimRun {
  /// Trim the free space of the directory's file system; return the number of bytes.
  private let trim: (_ directory: String) throws -> Int

  package init(trim: @escaping (_ directory: String) throws -> Int = freeSpaceTrimmed) {
    self.trim = trim
  }

  /// - Throws: UsageError if the file system, its device or this user can't trim.
  package func perform(
    _ plan: OneFilePlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: OneFileOutcome) {
    let world = frame.session.world
    return try frame.inTestDirectory(of: path) { directory in
      // Trim previously free space now, so that the first measurement doesn't include it.
      do { _ = try trim(directory.path) } catch {
        throw UsageError("\(path) cannot be trimmed: \(error). This needs Linux, root, and a device that supports it")
      }
      let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: world)
      var outcome = OneFileOutcome()
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
          // Zero if the file system trimmed the file when it was removed.
          if trimmed > 0 { outcome.speeds.append(Double(trimmed) / seconds) }
        }
      } catch {
        outcome.ending = RunEnding(error)
      }
      return (plan.document(outcome, .diskTrimSpeed, target, frame), outcome)
    }
  }

  /// - Returns: the number of bytes trimmed.
  package static func freeSpaceTrimmed(_ directory: String) throws -> Int {
    let descriptor = open(directory, O_RDONLY)
    guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
    defer { close(descriptor) }
    return try trimFreeSpace(descriptor)
  }
}

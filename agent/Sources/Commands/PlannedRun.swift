import Base
import Document
import Foundation
import LocalState
import Measure

/// One run that a command will do, with what to show and check beforehand.
struct PlannedRun {
  /// The suite and the method: "disk graded-files".
  let title: String
  /// What happens, a sentence to the owner: "Writes 26.7 GB in 80 files …".
  let announcement: String
  /// Directories, or files, that are measured; none where no storage is.
  var paths: [String] = []
  /// Bytes it writes, over all paths.
  var bytesWritten = 0
  /// The most bytes that it has on one path's volume at once.
  var bytesNeeded = 0
  /// Bytes it writes and reads on one path, for the estimate of time.
  var bytesMoved = 0
  /// Seconds it takes besides.
  var seconds = 0.0
  /// Whether it unmounts an external volume and mounts it again.
  var remounts = false
  /// Whether its time can be estimated.
  var isTimed = true
  let perform: (RunContext) throws -> [MeasuredRun]

  /// What the paths are, or are in.
  var directories: [String] {
    paths.map { path in
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      return exists && !isDirectory.boolValue ? (path as NSString).deletingLastPathComponent : path
    }
  }
}

/// What a run is given when its turn comes.
struct RunContext {
  let session: Session
  let facts: MachineFacts
  /// One for each of the run's paths.
  let targets: [TargetRecord]
  let labels: [String: String]?
  /// Warnings found before the run.
  let preflight: [Warning]
  /// On the directories of all runs.
  let locks: [FileLock]

  /// Of a run that begins now.
  func frame(_ more: [Warning] = []) -> RunFrame {
    RunFrame(facts: facts, labels: labels, preflight: preflight + more, session: session)
  }

  func progress(phases: Int) -> ProgressLine { ProgressLine(phases: phases, world: session.world) }
}

/// A run that was done, to its end or not.
struct MeasuredRun {
  let document: RunDocument
  let ending: RunEnding
  /// The exit code where it failed.
  var failure = ExitCode.failure
  /// Its figures in columns.
  let figures: [String]
}

import Base
import Document
import Foundation
import LocalState
import Measure

/// One planned run of a command, with what to show and check beforehand.
struct PlannedRun {
  /// Suite and method: "disk graded-files".
  let title: String
  /// A sentence for the owner: "Writes 26.7 GB in 80 files …".
  let announcement: String
  /// Directories or files to measure; empty if no storage is measured.
  var paths: [String] = []
  /// Bytes written, over all paths.
  var bytesWritten = 0
  /// Peak bytes on one path's volume.
  var bytesNeeded = 0
  /// Bytes written and read on one path, to estimate the duration.
  var bytesMoved = 0
  /// Seconds needed besides the transfers.
  var seconds = 0.0
  /// Whether it unmounts an external volume and mounts it again.
  var remounts = false
  /// Whether its duration can be estimated.
  var isTimed = true
  let perform: (RunContext) throws -> [MeasuredRun]

  /// The paths, or the directories of those that are files.
  var directories: [String] {
    paths.map { path in
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      return exists && !isDirectory.boolValue ? (path as NSString).deletingLastPathComponent : path
    }
  }
}

/// Everything a run needs when it starts.
struct RunContext {
  let session: Session
  let facts: MachineFacts
  /// The targets, one per path.
  let targets: [TargetRecord]
  let labels: [String: String]?
  /// Warnings found before the run.
  let preflight: [Warning]
  /// Locks on the directories of all runs.
  let locks: [FileLock]

  /// The frame of a run that starts now.
  func frame(_ more: [Warning] = []) -> RunFrame {
    RunFrame(facts: facts, labels: labels, preflight: preflight + more, session: session)
  }

  func progress(phases: Int) -> ProgressLine { ProgressLine(phases: phases, world: session.world) }
}

/// A finished run, complete or not.
struct MeasuredRun {
  let document: RunDocument
  let ending: RunEnding
  /// The exit code if it failed.
  var failure = ExitCode.failure
  /// Its results in columns.
  let figures: [String]
}

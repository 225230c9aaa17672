import Base

/// The result of one file.
package struct FileTiming: Equatable, Sendable {
  package var file: PlannedFile
  /// Seconds of the transfer only.
  package var seconds: Double
  /// Seconds of the flush after a write; nil for reads, and if the device refused it.
  package var flush: Double?

  package var speed: Double { Double(file.bytes) / seconds }
}

/// How the cache was emptied between writing and reading.
package enum CacheTreatment: String, Sendable {
  case remounted, invalidated
}

/// The result of trying to remount a volume.
package enum Remounting: String, Sendable {
  case done
  /// Something on it was in use.
  case refused
}

/// Everything that a run of graded files measured, complete or not.
package struct DiskOutcome: Sendable {
  package var writes: [FileTiming] = []
  package var reads: [FileTiming] = []
  package var bypassedCache = true
  package var cache = CacheTreatment.invalidated
  /// nil if not tried.
  package var remounting: Remounting?
  /// Per file, after eviction and before the first read.
  package var residency: [Residency] = []
  package var ending = RunEnding.complete
}

/// One run of graded files in a directory: write all, evict and check, read all.
struct DiskMeasurement {
  let plan: DiskPlan
  /// Absolute path of the files' directory.
  let directory: String
  /// The image that holds the directory, if the agent created one: remounting it empties the cache.
  let image: DiskImage?
  /// The volume that holds the directory, if it can be remounted.
  let volume: VolumeUnderTest?
  let cache: StorageCache
  let world: World
  let progress: ProgressLine

  /// Never throws: what was measured before an early end is part of the outcome.
  func run() -> DiskOutcome {
    var outcome = DiskOutcome()
    let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: world)
    do {
      try write(transfer, into: &outcome)
      try evict(into: &outcome)
      try read(transfer, into: &outcome)
    } catch {
      outcome.ending = RunEnding(error)
    }
    outcome.bypassedCache = transfer.bypassedCache
    progress.finish()
    return outcome
  }

  private func write(_ transfer: BlockTransfer, into outcome: inout DiskOutcome) throws {
    progress.begin("Writing", bytes: plan.bytes)
    for file in plan.files {
      let time = try transfer.write(
        path(of: file), bytes: file.bytes, progress: progress.advance(bytes:))
      outcome.writes.append(FileTiming(file: file, seconds: time.transfer, flush: time.flush))
      let endsSet = file.position % plan.method.sizes.count == 0
      if endsSet, file.position < plan.files.count, plan.rest > 0 {
        world.sleep(plan.rest)
        if world.interrupted() { throw Interrupted() }
      }
    }
  }

  private func evict(into outcome: inout DiskOutcome) throws {
    let paths = plan.files.map(path)
    if let image {
      try image.remount()
      outcome.cache = .remounted
      outcome.residency = try cache.residency(of: paths)
      return
    }
    if let volume {
      outcome.remounting = try volume.remount() ? .done : .refused
      if outcome.remounting == .done { outcome.cache = .remounted }
      if outcome.remounting == .refused {
        world.terminal.say("The volume is in use and stays mounted; the cache is emptied file by file.")
      }
    }
    outcome.residency = try cache.empty(paths)
  }

  private func read(_ transfer: BlockTransfer, into outcome: inout DiskOutcome) throws {
    progress.begin("Reading", bytes: plan.bytes)
    for file in plan.files {
      let seconds = try transfer.read(
        path(of: file), bytes: file.bytes, progress: progress.advance(bytes:))
      outcome.reads.append(FileTiming(file: file, seconds: seconds))
    }
  }

  private func path(of file: PlannedFile) -> String { directory + "/" + file.name }
}

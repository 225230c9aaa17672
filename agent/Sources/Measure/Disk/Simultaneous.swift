import Base
import Document
import Foundation

/// Plan of a `simultaneous` run: on several targets at once, write one file per set and read it
/// back. Only the time in which all are busy counts, so that a slow drive isn't measured alone at
/// the end.
package struct SimultaneousPlan: Equatable, Sendable {
  package static let version = 1

  /// Size of each target's file.
  package let bytes: Int
  package let sets: Int
  package let seed: Int
  package let blockSize: Int
  package let quick: Bool

  package init(bytes: Int, sets: Int, seed: Int, blockSize: Int, quick: Bool) {
    self.bytes = bytes
    self.sets = sets
    self.seed = seed
    self.blockSize = blockSize
    self.quick = quick
  }

  package var method: String { quick ? "simultaneous-quick" : "simultaneous" }
}

/// A transfer's progress over time. Used only by its own thread until that ends.
final class TransferTrail: @unchecked Sendable {
  private(set) var times: [UInt64] = []
  private(set) var bytes: [Int] = []

  func add(_ count: Int, at time: UInt64) {
    times.append(time)
    bytes.append((bytes.last ?? 0) + count)
  }

  var end: UInt64 { times.last ?? 0 }

  /// Bytes transferred by that time, interpolated within a block.
  func bytes(at time: UInt64, from start: UInt64) -> Double {
    guard let next = times.firstIndex(where: { $0 >= time }) else { return Double(bytes.last ?? 0) }
    let (t0, b0) = next == 0 ? (start, 0) : (times[next - 1], bytes[next - 1])
    let share = times[next] > t0 ? Double(time - min(time, t0)) / Double(times[next] - t0) : 1
    return Double(b0) + share * Double(bytes[next] - b0)
  }

  /// Bytes per second of each while all were busy: from the last start to the first end.
  static func speeds(_ trails: [(started: UInt64, trail: TransferTrail)]) -> [Double] {
    let start = trails.map(\.started).max() ?? 0
    let end = trails.map(\.trail.end).min() ?? 0
    guard end > start else { return [] }
    return trails.map { started, trail in
      (trail.bytes(at: end, from: started) - trail.bytes(at: start, from: started)) * 1e9 / Double(end - start)
    }
  }
}

/// The results of one target.
package struct SimultaneousOutcome: Sendable {
  /// One value per set.
  package var writes: [Double] = []
  package var reads: [Double] = []
  var residency: [Residency] = []
  var bypassedCache = true
}

/// A run of `simultaneous`, with one document per target.
package enum SimultaneousRun {
  package static func perform(
    _ plan: SimultaneousPlan, paths: [String], targets: [TargetRecord], frames: [RunFrame], progress: ProgressLine
  ) throws -> (documents: [RunDocument], outcomes: [SimultaneousOutcome], ending: RunEnding) {
    try inTestDirectories(paths, frames) { directories in
      var outcomes = Array(repeating: SimultaneousOutcome(), count: paths.count)
      var ending = RunEnding.complete
      do {
        let places = zip(directories, targets).map { directory, target in
          Place(directory: directory, cache: StorageCache(image: target.imageFile?.path))
        }
        try measure(plan, places, frames[0].session.world, progress, &outcomes)
      } catch {
        ending = RunEnding(error)
      }
      progress.finish()
      let documents = outcomes.indices.map { index in
        if targets[index].cachesAllTheSame { outcomes[index].bypassedCache = false }
        var target = targets[index]
        target.simultaneous = paths.count
        return document(plan, outcomes[index], target, frames[index], ending)
      }
      return (documents, outcomes, ending)
    }
  }

  private static func inTestDirectories<Value>(
    _ paths: [String], _ frames: [RunFrame], _ body: ([String]) throws -> Value
  ) throws -> Value {
    guard let path = paths.first, let frame = frames.first else { return try body([]) }
    return try frame.inTestDirectory(of: path) { directory in
      try inTestDirectories(Array(paths.dropFirst()), Array(frames.dropFirst())) { others in
        try body([directory.path] + others)
      }
    }
  }

  /// A target's directory, and the cache it is read through.
  private struct Place {
    let directory: String
    let cache: StorageCache
  }

  private static func measure(
    _ plan: SimultaneousPlan, _ places: [Place], _ world: World, _ progress: ProgressLine,
    _ outcomes: inout [SimultaneousOutcome]
  ) throws {
    let shown = SharedProgress(progress)
    progress.begin("Writing and reading at once", bytes: 2 * plan.bytes * plan.sets * places.count)
    for set in 1...plan.sets {
      let files = places.map { $0.directory + "/" + PlannedFile(position: set, set: set, bytes: plan.bytes).name }
      defer { files.forEach { unlink($0) } }
      let writes = try together(plan, world, files) { transfer, file, note in
        _ = try transfer.write(file, bytes: plan.bytes) { note($0); shown.advance(bytes: $0) }
      }
      for index in outcomes.indices {
        outcomes[index].residency += try places[index].cache.empty([files[index]])
      }
      let reads = try together(plan, world, files) { transfer, file, note in
        _ = try transfer.read(file, bytes: plan.bytes) { note($0); shown.advance(bytes: $0) }
      }
      for index in outcomes.indices {
        if index < writes.speeds.count { outcomes[index].writes.append(writes.speeds[index]) }
        if index < reads.speeds.count { outcomes[index].reads.append(reads.speeds[index]) }
        if !writes.bypassed[index] || !reads.bypassed[index] { outcomes[index].bypassedCache = false }
      }
    }
  }

  private static func together(
    _ plan: SimultaneousPlan, _ world: World, _ files: [String],
    _ move: @escaping @Sendable (BlockTransfer, String, (Int) -> Void) throws -> Void
  ) throws -> (speeds: [Double], bypassed: [Bool]) {
    let stints = ThreadTeam.run(files.count, quality: .userInteractive, world: world) { number in
      Result {
        let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed + number, world: world)
        let trail = TransferTrail()
        let started = world.monotonic()
        try move(transfer, files[number]) { trail.add($0, at: world.monotonic()) }
        return (started: started, trail: trail, bypassed: transfer.bypassedCache)
      }
    }
    let done = try stints.map { try $0.work.get() }
    return (TransferTrail.speeds(done.map { ($0.started, $0.trail) }), done.map(\.bypassed))
  }

  private static func document(
    _ plan: SimultaneousPlan, _ outcome: SimultaneousOutcome, _ target: TargetRecord, _ frame: RunFrame,
    _ ending: RunEnding
  ) -> RunDocument {
    let series = [(Metric.diskWriteAverage, outcome.writes), (.diskReadAverage, outcome.reads)].compactMap {
      $1.isEmpty ? nil : Series(metric: $0, values: $1.map { $0.rounded() })
    }
    return frame.document(
      RunContent(suite: "disk",
      method: MethodRecord(name: plan.method, version: SimultaneousPlan.version, parameters: [
        "file_bytes": .integer(plan.bytes), "sets": .integer(plan.sets), "seed": .integer(plan.seed),
        "block_size": .integer(plan.blockSize), "cache": "invalidated",
        "direct": .boolean(outcome.bypassedCache),
      ]),
      target: target, series: series), ending: ending,
      warnings: Warning.reading(bypassedCache: outcome.bypassedCache, outcome.residency))
  }
}

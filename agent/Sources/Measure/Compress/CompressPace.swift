import Base

/// This machine's current compression speed, found by compressing a little: used to estimate a
/// sweep's duration and progress.
package struct CompressPace: Equatable, Sendable {
  /// Bytes per second of a whole team, by quality, then by number of threads; at least one entry
  /// for each quality.
  package var speeds: [ThreadQuality: [Int: Double]]
  /// Bytes of corpus that one thread generates per second.
  var making: Double
  /// Bytes that one thread hashes per second.
  var digesting: Double

  /// Interpolate linearly between the numbers of threads tried; beyond them the speed stays
  /// constant.
  package func speed(_ step: CompressStep) -> Double {
    let tried = (speeds[step.quality] ?? [:]).sorted { $0.key < $1.key }
    guard let first = tried.first, let last = tried.last else { return making }
    guard let above = tried.first(where: { $0.key >= step.threads }) else { return last.value }
    guard let below = tried.last(where: { $0.key < step.threads }) else { return first.value }
    let way = Double(step.threads - below.key) / Double(above.key - below.key)
    return below.value + way * (above.value - below.value)
  }

  package func seconds(_ step: CompressStep, of plan: CompressPlan) -> Double { Double(plan.bytes) / speed(step) }

  /// Seconds to generate the corpus before the first step. In memory all cores generate its
  /// distinct blocks; for a file, one thread generates all.
  func preparing(_ plan: CompressPlan, cores: Int) -> Double {
    let made = plan.place == .files ? plan.bytes : min(plan.blocks, Corpus.differentBlocks) * Corpus.blockBytes / cores
    return Double(made) / making + Double(plan.bytes) / digesting
  }

  /// Seconds of processor time; storage time is not included.
  package func seconds(_ plan: CompressPlan, cores: Int) -> Double {
    preparing(plan, cores: cores) + plan.steps.map { seconds($0, of: plan) }.reduce(0, +)
  }

  /// The share of the run's time taken once so many bytes are compressed: steps with few threads
  /// take longer than others.
  package func share(_ plan: CompressPlan, cores: Int) -> @Sendable (_ done: Int) -> Double {
    let total = seconds(plan, cores: cores)
    var ends = [preparing(plan, cores: cores)]
    for step in plan.steps { ends.append(ends[ends.count - 1] + seconds(step, of: plan)) }
    return { [ends, bytes = plan.bytes] done in
      let step = min(max(0, done) / bytes, ends.count - 1)
      guard step + 1 < ends.count else { return 1 }
      let way = Double(done - step * bytes) / Double(bytes)
      return (ends[step] + way * (ends[step + 1] - ends[step])) / total
    }
  }
}

extension CompressPace {
  /// Long enough for a processor to reach full speed.
  private static let seconds = 0.25

  /// Measure with one thread and with the plan's maximum, a quarter of a second each.
  package static func measure(_ plan: CompressPlan, cores: Int, world: World) -> CompressPace {
    let blocks = min(4, plan.blocks)
    let memory = AlignedMemory(bytes: blocks * Corpus.blockBytes)
    let piece = Piece(memory: memory, blocks: blocks)
    func timed(_ body: () -> Void) -> Double {
      let started = world.monotonic()
      body()
      return Double(max(1, world.monotonic() - started)) / 1e9
    }
    let corpus = plan.corpus
    let making = timed { for number in 0..<blocks { corpus.make(number, into: piece.writable(number)) } }
    let digest = StreamingDigest()
    let digesting = timed { for number in 0..<blocks { digest.update(piece.block(number)) } }
    var speeds: [ThreadQuality: [Int: Double]] = [:]
    for quality in plan.qualities {
      let counts = Set(plan.steps.filter { $0.quality == quality }.map(\.threads))
      for threads in Set([counts.min(), counts.max()].compactMap { $0 }.map { min($0, cores) }) {
        speeds[quality, default: [:]][threads] = speed(CompressStep(quality: quality, threads: threads), piece, world)
      }
    }
    let bytes = Double(blocks * Corpus.blockBytes)
    return CompressPace(speeds: speeds, making: bytes / making, digesting: bytes / digesting)
  }

  private static func speed(_ step: CompressStep, _ piece: Piece, _ world: World) -> Double {
    let stints = ThreadTeam.run(step.threads, quality: step.quality, world: world) { _ -> Int in
      let compressor = BlockCompressor()
      let end = world.monotonic() + UInt64(seconds * 1e9)
      var done = 0
      repeat {
        _ = compressor.compress(piece.block(done % piece.blocks))
        done += 1
      } while world.monotonic() < end && !world.interrupted()
      return done
    }
    return stints.map { Double($0.work * Corpus.blockBytes) / $0.seconds }.reduce(0, +)
  }

  /// The first blocks of the corpus.
  private struct Piece: @unchecked Sendable {
    let memory: AlignedMemory
    let blocks: Int

    func block(_ number: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable(number)) }

    func writable(_ number: Int) -> UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer(start: memory.start + number * Corpus.blockBytes, count: Corpus.blockBytes)
    }
  }
}

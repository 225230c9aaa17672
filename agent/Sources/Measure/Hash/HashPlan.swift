import Document

/// Plan of a `stream-sha256` run: fixed before the first byte, and recorded.
package struct HashPlan: Equatable, Sendable {
  package static let version = 1
  /// Other libraries and smoke tests have different names, so that they never share a series.
  package var method: String {
    ["stream-sha256", StreamingDigest.library, quick ? "quick" : nil].compactMap { $0 }.joined(separator: "-")
  }

  /// The timed parts. The latter two are the limits: reading alone and hashing alone.
  package enum Part: String, Sendable, CaseIterable { case hashing, reading, memory }

  /// Size of the file.
  package let bytes: Int
  package let passes: Int
  package let seed: Int
  package let blockSize: Int
  /// Whether to read through a warm cache, which shows the processor's limit, not the storage's.
  let cached: Bool
  /// Whether the file is the agent's own, incompressible and removed afterwards.
  package let makesFile: Bool
  package let quick: Bool
  /// The parts of every pass, in the order they run.
  let order: [Part]

  package init(
    bytes: Int = 16_000_000_000, passes: Int = 3, seed: Int, blockSize: Int = 1 << 20,
    cached: Bool = false, makesFile: Bool = true, quick: Bool = false
  ) {
    self.bytes = bytes
    self.passes = passes
    self.seed = seed
    self.blockSize = blockSize
    self.cached = cached
    self.makesFile = makesFile
    self.quick = quick
    order = Self.order(passes: passes, seed: seed)
  }

  private static func order(passes: Int, seed: Int) -> [Part] {
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    return (0..<passes).flatMap { _ in Part.allCases.shuffled(by: &generator) }
  }

  /// Bytes that the run writes.
  package var bytesWritten: Int { makesFile ? bytes : 0 }

  package var parameters: [String: Scalar] {
    [
      "passes": .integer(passes), "seed": .integer(seed), "block_size": .integer(blockSize),
      "blocks": .integer(FileStream.blocks), "file": makesFile ? "made" : "given",
      "cache": cached ? "kept" : "invalidated",
    ]
  }
}

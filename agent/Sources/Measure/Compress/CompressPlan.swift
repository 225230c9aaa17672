import Document

/// One compression of the whole corpus.
package struct CompressStep: Equatable, Sendable {
  package var quality: ThreadQuality
  package var threads: Int
}

/// Plan of a `thread-sweep` run: fixed before the first block, and recorded.
package struct CompressPlan: Equatable, Sendable {
  package static let version = 1

  /// In memory only the processor is measured; from file to file the storage may be the limit. Runs
  /// of the two never share a series.
  package enum Place: String, Sendable { case memory, files }

  package var method: String {
    ["thread-sweep", place == .files ? "files" : nil, BlockCompressor.library, quick ? "quick" : nil]
      .compactMap { $0 }.joined(separator: "-")
  }

  /// The seed of every machine's corpus.
  static let corpusSeed = 1
  static let fullBlocks = 1024
  static let quickBlocks = 256

  package let place: Place
  let blocks: Int
  package let quick: Bool
  package let qualities: [ThreadQuality]
  package let repetitions: Int
  package let seed: Int
  package let context: CoreContext
  package let steps: [CompressStep]

  /// - Parameters:
  ///   - seed: seed of the steps' order.
  ///   - threads: numbers of threads; nil for every number up to the number of cores.
  package init(
    place: Place, blocks: Int? = nil, quick: Bool = false, qualities: [ThreadQuality] = [.userInteractive],
    repetitions: Int = 1, seed: Int, threads: [Int]? = nil, context: CoreContext
  ) {
    self.place = place
    self.blocks = blocks ?? (quick ? Self.quickBlocks : Self.fullBlocks)
    self.quick = quick
    self.qualities = qualities
    self.repetitions = repetitions
    self.seed = seed
    self.context = context
    steps = Self.steps(qualities, threads: threads, context: context, repetitions: repetitions).shuffled(seed: seed)
  }

  private static func steps(
    _ qualities: [ThreadQuality], threads: [Int]?, context: CoreContext, repetitions: Int
  ) -> [CompressStep] {
    qualities.flatMap { quality in
      (threads ?? Array(1...context.cores(for: quality))).flatMap { count in
        Array(repeating: CompressStep(quality: quality, threads: count), count: repetitions)
      }
    }
  }

  var corpus: Corpus { Corpus(seed: Self.corpusSeed, blocks: blocks) }
  package var bytes: Int { blocks * Corpus.blockBytes }

  /// Upper bound of bytes written: the corpus, and one archive per step.
  package var bytesWritten: Int { place == .files ? bytes * (1 + steps.count) : 0 }
  /// Approximate bytes written and read: blocks shrink to half or less.
  package var bytesMoved: Int { place == .files ? bytes + steps.count * (bytes + bytes / 2) : 0 }
  /// Upper bound of bytes on the target at once: the corpus and one archive; blocks shrink to half
  /// or less.
  package var bytesNeeded: Int { place == .files ? bytes + bytes / 2 : 0 }

  package var parameters: [String: Scalar] {
    [
      "place": .text(place.rawValue), "algorithm": .text(BlockCompressor.algorithm),
      "block_size": .integer(Corpus.blockBytes), "corpus_bytes": .integer(bytes),
      "corpus_seed": .integer(Self.corpusSeed), "repetitions": .integer(repetitions),
      "seed": .integer(seed), "qualities": .text(qualities.map(\.rawValue).joined(separator: ",")),
      "placement": "assumed",
    ]
  }
}

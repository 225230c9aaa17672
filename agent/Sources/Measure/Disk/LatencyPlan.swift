/// One kind of small transfers: direction and number in flight.
package struct LatencyTest: Equatable, Hashable, Sendable {
  package enum Move: String, Sendable { case read, write }

  package var move: Move
  package var depth: Int

  /// Bytes per transfer. macOS sends writes below 16 KiB, its cache's page size on Apple silicon,
  /// through the cache: a smaller write would time a read and a copy in memory.
  package var bytes: Int { move == .read ? 4096 : 16384 }

  /// The name that imported fio results have: a transfer without a stated size is 4 KiB.
  package var name: String { "random_\(move.rawValue)_\(move == .read ? "" : "16k_")qd\(depth)" }
}

/// Plan of a `latency` run: small transfers at random places of one file, each at a multiple of its
/// size, no place used twice until all are used. A queue depth of 32 means 32 threads with one
/// transfer each.
package struct LatencyPlan: Equatable, Sendable {
  /// Version 2: writes are 16 KiB; they were 4, which macOS caches.
  package static let version = 2
  package static let deepest = 32
  /// Maximum number of samples kept per test, evenly over its time.
  static let samples = 1000
  /// Time limit of a test, which then ends with what it has: some cards do twenty transfers per
  /// second.
  static let mostSeconds = 30.0

  /// Size of the file.
  package let bytes: Int
  package let seed: Int
  package let quick: Bool
  /// In the order they run.
  let tests: [LatencyTest]

  package init(bytes: Int, seed: Int, quick: Bool) {
    let whole = LatencyTest(move: .write, depth: 1).bytes
    self.bytes = bytes / whole * whole
    self.seed = seed
    self.quick = quick
    let all = [1, Self.deepest].flatMap { depth in
      [LatencyTest(move: .read, depth: depth), LatencyTest(move: .write, depth: depth)]
    }
    tests = all.shuffled(seed: seed)
  }

  package var method: String { quick ? "latency-quick" : "latency" }

  /// Maximum transfers of a test, over all threads.
  package func transfers(_ test: LatencyTest) -> Int {
    let whole = test.depth == 1 ? 20_000 : 64_000
    return quick ? whole / 10 : whole
  }

  package var bytesWritten: Int {
    bytes + tests.filter { $0.move == .write }.map { transfers($0) * $0.bytes }.reduce(0, +)
  }

  /// Places for all transfers in one direction, in a random order given by the seed: all places, or
  /// as many as needed. Counted in transfers from the file's start.
  func shuffledPlaces(_ move: LatencyTest.Move) -> [Int] {
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(move == .read ? ~seed : seed)))
    let own = tests.filter { $0.move == move }
    let places = bytes / LatencyTest(move: move, depth: 1).bytes
    let wanted = min(places, own.map(transfers).reduce(0, +))
    // Sparse record of swapped places; a full list would be as large as the file.
    var moved: [Int: Int] = [:]
    return (0..<wanted).map { place in
      let other = place + Int(generator.next(below: UInt64(places - place)))
      let chosen = moved[other] ?? other
      moved[other] = moved[place] ?? place
      return chosen
    }
  }
}

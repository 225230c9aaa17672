/// One kind of small transfers: in one direction, so many of them under way at a time.
package struct LatencyTest: Equatable, Hashable, Sendable {
  package enum Move: String, Sendable { case read, write }

  package var move: Move
  package var depth: Int

  /// Bytes of a transfer. macOS never lets a write of less than 16 KiB past its cache, whose pages on
  /// Apple silicon have that size: a smaller write would time a read and a copy in memory.
  package var bytes: Int { move == .read ? 4096 : 16384 }

  /// As fio's figures are called when they are imported: a transfer that says no size has 4 KiB.
  package var name: String { "random_\(move.rawValue)_\(move == .read ? "" : "16k_")qd\(depth)" }
}

/// What a run of `latency` will do: small transfers at random places of one file, each at a multiple of
/// its size, no place twice while there are others. A queue depth of 32 is as many threads with a
/// transfer each.
package struct LatencyPlan: Equatable, Sendable {
  /// 2: writes have 16 KiB; they had 4, which macOS caches.
  package static let version = 2
  package static let deepest = 32
  /// No more samples of a test are kept, evenly over its time.
  static let samples = 1000
  /// A test that takes longer ends with what it has: some cards do twenty transfers a second.
  static let mostSeconds = 30.0

  /// Of the file.
  package let bytes: Int
  package let seed: Int
  package let quick: Bool
  /// In the order of running.
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

  /// Transfers of a test at most, over all threads.
  package func transfers(_ test: LatencyTest) -> Int {
    let whole = test.depth == 1 ? 20_000 : 64_000
    return quick ? whole / 10 : whole
  }

  package var bytesWritten: Int {
    bytes + tests.filter { $0.move == .write }.map { transfers($0) * $0.bytes }.reduce(0, +)
  }

  /// Places for all transfers in one direction, in a random order that the seed decides: all that
  /// there are, or as many as are transferred. Counted in transfers from the file's start.
  func shuffledPlaces(_ move: LatencyTest.Move) -> [Int] {
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(move == .read ? ~seed : seed)))
    let own = tests.filter { $0.move == move }
    let places = bytes / LatencyTest(move: move, depth: 1).bytes
    let wanted = min(places, own.map(transfers).reduce(0, +))
    // Places that have changed theirs; a list of all would be as large as the file is.
    var moved: [Int: Int] = [:]
    return (0..<wanted).map { place in
      let other = place + Int(generator.next(below: UInt64(places - place)))
      let chosen = moved[other] ?? other
      moved[other] = moved[place] ?? place
      return chosen
    }
  }
}

/// One kind of small transfers: in one direction, so many of them under way at a time.
package struct LatencyTest: Equatable, Hashable, Sendable {
  package enum Move: String, Sendable { case read, write }

  package var move: Move
  package var depth: Int

  /// As fio's figures are called when they are imported.
  package var name: String { "random_\(move.rawValue)_qd\(depth)" }
}

/// What a run of `latency` will do: transfers of 4 KiB at random places of one file, whole pages, none
/// read twice while there are others. A queue depth of 32 is as many threads with a transfer each.
package struct LatencyPlan: Equatable, Sendable {
  package static let version = 1
  static let transferBytes = 4096
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
    self.bytes = bytes / Self.transferBytes * Self.transferBytes
    self.seed = seed
    self.quick = quick
    let all = [1, Self.deepest].flatMap { depth in
      [LatencyTest(move: .read, depth: depth), LatencyTest(move: .write, depth: depth)]
    }
    tests = all.shuffled(seed: seed)
  }

  package var method: String { quick ? "latency-quick" : "latency" }
  var pages: Int { bytes / Self.transferBytes }

  /// Transfers of a test at most, over all threads.
  package func transfers(_ test: LatencyTest) -> Int {
    let whole = test.depth == 1 ? 20_000 : 64_000
    return quick ? whole / 10 : whole
  }

  package var bytesWritten: Int {
    bytes + tests.filter { $0.move == .write }.map { transfers($0) * Self.transferBytes }.reduce(0, +)
  }

  /// Numbers of pages in a random order that the seed decides: every one, or as many as are transferred.
  var shuffledPages: [Int] {
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(~seed)))
    let wanted = min(pages, tests.map(transfers).reduce(0, +))
    // Pages that have changed places; a list of all would be as large as the file is.
    var moved: [Int: Int] = [:]
    return (0..<wanted).map { place in
      let other = place + Int(generator.next(below: UInt64(pages - place)))
      let chosen = moved[other] ?? other
      moved[other] = moved[place] ?? place
      return chosen
    }
  }
}

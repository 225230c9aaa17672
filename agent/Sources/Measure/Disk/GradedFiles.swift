/// The method `graded-files`: files from 2 MB to 2 GB, written in one shuffled order over all sets,
/// then read back in that order. Sizes are decimal megabytes. Any change that affects results
/// raises both versions, and the server's `documents/methods.py` says which of them belong together.
package struct GradedFiles: Sendable, Equatable {
  package let name: String
  package let version: Int
  /// In bytes, ascending.
  package let sizes: [Int]
  package let defaultSets: Int

  package static let full = GradedFiles(
    name: "graded-files", version: 1,
    megabytes: [2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000],
    defaultSets: 5)
  /// One set of the sizes up to 200 MB, each measured as in the full method, so that both count in
  /// the same series by file size. Its averages are its own: they lack the large files.
  package static let quick = GradedFiles(
    name: "graded-files-quick", version: 2,
    megabytes: [2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200],
    defaultSets: 1)

  package init(name: String, version: Int, megabytes: [Int], defaultSets: Int) {
    self.name = name
    self.version = version
    sizes = megabytes.map { $0 * 1_000_000 }
    self.defaultSets = defaultSets
  }

  package var bytesPerSet: Int { sizes.reduce(0, +) }
}

/// One file of a run. `position` is its place in the run's sequence, counted from 1.
package struct PlannedFile: Equatable, Sendable {
  package let position: Int
  package let set: Int
  package let bytes: Int

  /// The file's name in the test directory: its position and size.
  package var name: String { "\(position)-\(bytes)\(PlannedFile.suffix)" }
  static let suffix = ".macmeter"
}

/// The plan of a run: fixed before the first byte is written, and recorded.
package struct DiskPlan: Equatable, Sendable {
  package let method: GradedFiles
  package let sets: Int
  package let seed: Int
  /// Bytes per transfer.
  package let blockSize: Int
  /// Seconds of rest after writing each set's worth of files, to let the drive's fast cache
  /// recover.
  package let rest: Double
  package let files: [PlannedFile]

  package init(method: GradedFiles, sets: Int, seed: Int, blockSize: Int, rest: Double) {
    self.method = method
    self.sets = sets
    self.seed = seed
    self.blockSize = blockSize
    self.rest = rest
    let all = (1...sets).flatMap { set in method.sizes.map { (set: set, bytes: $0) } }
    files = all.shuffled(seed: seed).enumerated().map { index, file in
      PlannedFile(position: index + 1, set: file.set, bytes: file.bytes)
    }
  }

  package var bytes: Int { sets * method.bytesPerSet }
}

import Base

/// Number of loops for a target duration.
enum Calibration {
  /// Loop counts are round numbers, so that runs of similar machines share them and their times can
  /// be compared: 1, 1.25, 1.5 … times a power of ten, never more than 15% off.
  static let steps = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

  /// Starting count, and the minimum of a measurement: even, and few enough for the slowest loop to
  /// finish at once.
  static let fewest = 1000

  /// Loops of `kernel` that one thread does in about `seconds`. Calibrating also warms the core up.
  /// - Parameter team: the team whose thread to use; nil for a new one.
  static func loops(
    _ kernel: Kernel, quality: ThreadQuality, seconds: Double, team: ThreadTeam? = nil, world: World
  ) throws -> Int {
    let team = team ?? ThreadTeam(world: world)
    var loops = fewest
    while true {
      let count = loops
      let stint = team.run(1, quality: quality) { _ in kernel.run(count) }[0]
      guard stint.work else { throw WrongResult(kernel: kernel.name) }
      if world.interrupted() { throw Interrupted() }
      if stint.seconds >= seconds / 10 || loops >= 1 << 50 {
        return round(Double(loops) * seconds / stint.seconds)
      }
      loops *= 2
    }
  }

  /// The nearest round number, by ratio.
  static func round(_ loops: Double) -> Int {
    var scale = Double(fewest)
    while scale * 10 <= loops { scale *= 10 }
    let nearest = steps.min { distance($0 * scale, loops) < distance($1 * scale, loops) }
    return Int((nearest ?? 1) * scale)
  }

  private static func distance(_ one: Double, _ other: Double) -> Double {
    max(one, other) / max(1, min(one, other))
  }
}

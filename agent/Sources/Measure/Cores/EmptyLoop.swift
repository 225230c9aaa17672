import Base

/// What counting and branching cost, which isn't part of a kernel's work.
enum EmptyLoop {
  /// Loops of a stretch: a few microseconds, long beside reading the clock and short enough to fall
  /// between whatever disturbs a core.
  static let stretch = 5_000

  /// Seconds that a loop of `kernel` takes without its work, of `loops` in all on each thread: the
  /// fastest stretch of each, since a disturbance only adds, and the median over threads, which may be
  /// on different tiers of cores. A loop of one cycle suffers most from whoever shares the core (another
  /// virtual machine on its second thread, say), and what it loses would come back as a faster rate.
  static func seconds(
    _ kernel: Kernel, threads: Int = 1, quality: ThreadQuality, loops: Int, team: ThreadTeam
  ) throws -> Double {
    let world = team.world
    let stretches = max(1, loops / stretch)
    let each = max(2, loops / stretches / 2 * 2)
    let stints = team.run(threads, quality: quality) { _ in
      (0..<stretches).map { _ -> UInt64? in
        let started = world.monotonic()
        return kernel.runEmpty(each) ? world.monotonic() - started : nil
      }
    }
    let fastest = try stints.map { stint in
      let times = stint.work.compactMap { $0 }
      guard times.count == stretches, let least = times.min() else {
        throw WrongResult(kernel: kernel.name)
      }
      return Double(least) / 1e9 / Double(each)
    }
    return Robust.median(fastest) ?? 0
  }
}

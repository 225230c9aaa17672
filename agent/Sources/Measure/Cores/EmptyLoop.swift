import Base

/// Cost of counting and branching, which isn't part of a kernel's work.
enum EmptyLoop {
  /// Loops of a stretch: a few microseconds, much longer than a clock read, yet short enough to
  /// fall between disturbances.
  static let stretch = 5_000

  /// Seconds per loop of `kernel` without its work: each thread's fastest stretch, since a
  /// disturbance only adds, and the median over threads, which may be on different tiers. A loop of
  /// one cycle suffers most if its core is shared (by another virtual machine on its second thread,
  /// say), and an inflated cost would appear as a faster rate.
  /// - Parameter loops: total number of loops on each thread.
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

#if !canImport(Darwin)
  import Base

  extension ThreadSampler {
    /// Number of this process's threads.
    static func threads(_ world: World) -> Int? {
      let count = world.list("/proc/self/task").count
      return count > 0 ? count : nil
    }
  }
#endif

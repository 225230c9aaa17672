#if !canImport(Darwin)
  import Base

  extension ThreadSampler {
    /// Of this process.
    static func threads(_ world: World) -> Int? {
      let count = world.list("/proc/self/task").count
      return count > 0 ? count : nil
    }
  }
#endif

#if canImport(Darwin)
  import Base
  import OwnThreads

  extension ThreadSampler {
    /// Number of this process's threads.
    static func threads(_ world: World) -> Int? {
      let count = own_threads()
      return count > 0 ? Int(count) : nil
    }
  }
#endif

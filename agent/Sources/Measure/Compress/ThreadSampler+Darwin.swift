#if canImport(Darwin)
  import Base
  import OwnThreads

  extension ThreadSampler {
    /// Of this process.
    static func threads(_ world: World) -> Int? {
      let count = own_threads()
      return count > 0 ? Int(count) : nil
    }
  }
#endif

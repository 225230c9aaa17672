#if canImport(Darwin)
  import Base
  import Darwin

  extension ThreadSampler {
    /// Of this process.
    static func threads(_ world: World) -> Int? {
      var facts = proc_taskinfo()
      let size = Int32(MemoryLayout<proc_taskinfo>.size)
      guard proc_pidinfo(getpid(), PROC_PIDTASKINFO, 0, &facts, size) == size else { return nil }
      return Int(facts.pti_threadnum)
    }
  }
#endif

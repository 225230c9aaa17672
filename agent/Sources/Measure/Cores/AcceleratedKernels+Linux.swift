#if !canImport(Darwin)
  extension Kernel {
    static let accelerated: [Kernel] = []
  }
#endif

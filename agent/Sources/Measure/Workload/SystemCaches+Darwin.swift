#if canImport(Darwin)
  import Base
  import Darwin

  extension SystemCaches {
    package static func empty(_ world: World) throws {
      sync()
      _ = try world.require("purge", [])
    }
  }
#endif

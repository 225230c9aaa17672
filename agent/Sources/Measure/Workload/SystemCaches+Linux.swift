#if !canImport(Darwin)
  import Base
  import Glibc

  extension SystemCaches {
    package static func empty(_ world: World) throws {
      sync()
      let file = try OpenFile("/proc/sys/vm/drop_caches", O_WRONLY)
      try Array("3\n".utf8).withUnsafeBytes { try file.write($0, at: 0) }
    }
  }
#endif

#if !canImport(Darwin)
  import Base
  import Document
  import Glibc

  extension DiskImage {
    /// Formats that can be created on this platform.
    static let supported: [ImageFormat] = [.raw]

    /// Throw if this platform can't create such an image, before anything is written.
    static func checkHere(_ format: ImageFormat, _ encryption: Encryption, world: World) throws {
      guard encryption == .unencrypted else {
        throw ImageError("encrypted images cannot be made on this system; use --image-encryption none")
      }
      guard geteuid() == 0 else {
        throw ImageError("mounting an image needs root; use sudo, or leave out --image")
      }
      for tool in ["losetup", "mkfs.ext4"] where world.run(tool, ["--version"], nil) == nil && world.run(tool, ["-V"], nil) == nil {
        throw ImageError("\(tool) is not installed; raw images need util-linux and e2fsprogs")
      }
    }

    static func tools(_ request: ImageRequest, directory: String, world: World) -> any ImageTools {
      LoopImageTools(directory: directory, world: world)
    }

    static func detachAll(in directory: String, world: World) {
      LoopImageTools.detachAll(in: directory, world: world)
    }
  }
#endif

#if canImport(Darwin)
  import Base
  import Document

  extension DiskImage {
    /// Formats that can be created on this platform.
    static let supported = ImageFormat.known

    /// Throw if this platform can't create such an image, before anything is written.
    static func checkHere(_ format: ImageFormat, _ encryption: Encryption, world: World) throws {
      if format == .asif, encryption == .imageAES128 {
        throw ImageError("ASIF images are encrypted with AES-256 only; use --image-encryption aes256")
      }
    }

    static func tools(_ request: ImageRequest, directory: String, world: World) -> any ImageTools {
      MacImageTools(request: request, directory: directory, world: world)
    }

    static func detachAll(in directory: String, world: World) {
      MacImageTools.detachAll(in: directory, world: world)
    }
  }
#endif

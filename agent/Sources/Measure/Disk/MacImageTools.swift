import Base
import Document
import Foundation
import MacTools

/// Images on macOS: hdiutil for the older formats, diskutil for ASIF (macOS 26). The pass phrase of
/// an encrypted image is made for the run, handed over by pipe and forgotten with it.
struct MacImageTools: ImageTools {
  let request: ImageRequest
  let directory: String
  let world: World
  private let passphrase: String

  init(request: ImageRequest, directory: String, world: World) {
    self.request = request
    self.directory = directory
    self.world = world
    passphrase = world.randomBytes(16).hexadecimal
  }

  var file: String {
    let suffixes: [ImageFormat: String] = [
      .raw: ".dmg", .asif: ".asif", .sparseBundle: ".sparsebundle", .sparseImage: ".sparseimage",
    ]
    return directory + "/" + TestDirectory.imageName + (suffixes[request.format] ?? "")
  }

  private var encrypted: Bool { request.encryption != .unencrypted }
  private var input: String? { encrypted ? passphrase : nil }

  func create(_ request: ImageRequest) throws {
    let size = String(request.capacity)
    if request.format == .asif {
      let encryption = encrypted ? ["--encrypt", "--stdinpass"] : []
      _ = try world.require(
        "diskutil",
        ["image", "create", "blank", "--format", "ASIF", "--fs", "APFS", "--size", size,
          "--volumeName", "Macmeter"] + encryption + [file],
        input: input)
      return
    }
    let types: [ImageFormat: String] = [
      .raw: "UDIF", .sparseBundle: "SPARSEBUNDLE", .sparseImage: "SPARSE",
    ]
    let sectors = "\(request.capacity / 512)b"  // to hdiutil b means sectors
    let cipher = request.encryption == .imageAES128 ? "AES-128" : "AES-256"
    let encryption = encrypted ? ["-encryption", cipher, "-stdinpass"] : []
    _ = try world.require(
      "hdiutil",
      ["create", "-quiet", "-size", sectors, "-fs", "APFS", "-volname", "Macmeter", "-type",
        types[request.format] ?? "UDIF"] + encryption + [file],
      input: input)
  }

  func attach(at mountPoint: String) throws {
    if request.format == .asif {
      _ = try world.require(
        "diskutil",
        ["image", "attach", "--mountOptions", "nobrowse", "--mountPoint", mountPoint]
          + (encrypted ? ["--stdinpass"] : []) + [file],
        input: input)
      return
    }
    _ = try world.require(
      "hdiutil",
      ["attach", "-quiet", "-nobrowse", "-mountpoint", mountPoint]
        + (encrypted ? ["-stdinpass"] : []) + [file],
      input: input)
  }

  /// Images that are in `directory`, mounted or killed before they were.
  static func detachAll(in directory: String, world: World) {
    let attached = world.run("hdiutil", ["info", "-plist"], nil)?.output ?? Data()
    for disk in AttachedImages.disks(ofImagesIn: world.resolve(directory) ?? directory, in: attached) {
      _ = world.run("hdiutil", ["detach", "-force", "/dev/" + disk], nil)
    }
  }

  func detach(from mountPoint: String) throws {
    _ = try world.require("hdiutil", ["detach", "-quiet", mountPoint])
  }
}

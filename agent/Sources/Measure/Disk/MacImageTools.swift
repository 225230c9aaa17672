import Base
import Document
import Foundation
import MacTools

/// Images on macOS: hdiutil for the older formats, diskutil for ASIF (macOS 26) and for all that it
/// supports from macOS 27 on, where hdiutil warns of its removal. An encrypted image's passphrase
/// is generated for the run, passed by pipe and never stored.
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
    modern = Self.modern(request, world)
  }

  var file: String {
    let suffixes: [ImageFormat: String] = [
      .raw: ".dmg", .asif: ".asif", .sparseBundle: ".sparsebundle", .sparseImage: ".sparseimage",
    ]
    return directory + "/" + TestDirectory.imageName + (suffixes[request.format] ?? "")
  }

  /// diskutil's name of the format; nil if hdiutil creates it.
  private let modern: String?

  private static func modern(_ request: ImageRequest, _ world: World) -> String? {
    if request.format == .asif { return "ASIF" }
    // diskutil supports AES-256 only.
    guard request.encryption != .imageAES128, (systemMajor(world) ?? 0) >= 27 else { return nil }
    return [ImageFormat.raw: "RAW", .sparseBundle: "UDSB"][request.format]
  }

  private static func systemMajor(_ world: World) -> Int? {
    world.run("sw_vers", ["-productVersion"], nil)?.text.split(separator: ".").first.flatMap { Int($0) }
  }

  private var encrypted: Bool { request.encryption != .unencrypted }
  private var input: String? { encrypted ? passphrase : nil }

  func create(_ request: ImageRequest) throws {
    let size = String(request.capacity)
    if let modern {
      // diskutil's global options precede its verbs.
      _ = try world.require(
        "diskutil",
        ["image"] + (encrypted ? ["--stdinpass", "create", "--encrypt"] : ["create"])
          + ["blank", "--format", modern, "--fs", "APFS", "--size", size, "--volumeName", "Macmeter", file],
        input: input)
      return
    }
    let types: [ImageFormat: String] = [
      .raw: "UDIF", .sparseBundle: "SPARSEBUNDLE", .sparseImage: "SPARSE",
    ]
    let sectors = "\(request.capacity / 512)b"  // in hdiutil, b means sectors
    let cipher = request.encryption == .imageAES128 ? "AES-128" : "AES-256"
    let encryption = encrypted ? ["-encryption", cipher, "-stdinpass"] : []
    _ = try world.require(
      "hdiutil",
      ["create", "-size", sectors, "-fs", "APFS", "-volname", "Macmeter", "-type",
        types[request.format] ?? "UDIF"] + encryption + [file],
      input: input)
  }

  func attach(at mountPoint: String) throws {
    if modern != nil {
      _ = try world.require(
        "diskutil",
        ["image"] + (encrypted ? ["--stdinpass"] : [])
          + ["attach", "--mountOptions", "nobrowse", "--mountPoint", mountPoint, file],
        input: input)
      return
    }
    _ = try world.require(
      "hdiutil",
      ["attach", "-nobrowse", "-mountpoint", mountPoint]
        + (encrypted ? ["-stdinpass"] : []) + [file],
      input: input)
  }

  /// Detach images in `directory`, whether mounted or not.
  static func detachAll(in directory: String, world: World) {
    let attached = world.run("hdiutil", ["info", "-plist"], nil)?.output ?? Data()
    for disk in AttachedImages.disks(ofImagesIn: world.resolve(directory) ?? directory, in: attached) {
      _ = world.run("hdiutil", ["detach", "-force", "/dev/" + disk], nil)
    }
  }

  func detach(from mountPoint: String) throws {
    _ = try world.require("hdiutil", ["detach", mountPoint])
  }
}

import Foundation

/// Raw images on Linux: an ext4 file system in a file, mounted through a loop device that bypasses
/// the cache of the file system below.
struct LoopImageTools: ImageTools {
  let directory: String
  let world: World

  var file: String { directory + "/" + TestDirectory.imageName + ".raw" }

  func create(_ request: ImageRequest) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TransferError(call: "open \(file)", code: errno) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(request.capacity)) == 0 else {
      throw TransferError(call: "truncate", code: errno)
    }
    // All tables are written now: left for later, the kernel would write them during the run.
    let eager = "lazy_itable_init=0,lazy_journal_init=0"
    _ = try world.require("mkfs.ext4", ["-q", "-F", "-T", "largefile4", "-m", "0", "-E", eager, file])
  }

  func attach(at mountPoint: String) throws {
    let device = LinuxFacts.trimmed(
      try world.require("losetup", ["--find", "--show", "--direct-io=on", file]))
    do {
      _ = try world.require("mount", ["-t", "ext4", "-o", "nodev,nosuid,noexec", device, mountPoint])
    } catch {
      _ = world.run("losetup", ["--detach", device], nil)
      throw error
    }
  }

  /// Images that lie in `directory`, mounted or killed before they were.
  static func detachAll(in directory: String, world: World) {
    let folder = (world.resolve(directory) ?? directory) + "/"
    // The kernel lets a device go when its last user has, which may be a moment later.
    for attempt in 0..<20 {
      let devices = world.list("/sys/block").filter { name in
        name.hasPrefix("loop") && world.readText("/sys/block/\(name)/loop/backing_file")?.hasPrefix(folder) == true
      }
      guard !devices.isEmpty else { return }
      if attempt > 0 { world.sleep(0.1) }
      let mounts = LinuxTarget.mounts(world.readText("/proc/self/mountinfo") ?? "")
      for device in devices.map({ "/dev/" + $0 }) {
        for mount in mounts where mount.source == device { _ = world.run("umount", [mount.point], nil) }
        _ = world.run("losetup", ["--detach", device], nil)
      }
    }
  }

  func detach(from mountPoint: String) throws {
    let mounts = LinuxTarget.mounts(world.readText("/proc/self/mountinfo") ?? "")
    let device = mounts.last { $0.point == mountPoint }?.source
    _ = try world.require("umount", [mountPoint])
    if let device, device.hasPrefix("/dev/loop") {
      _ = try world.require("losetup", ["--detach", device])
    }
  }
}

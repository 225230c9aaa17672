import Base
import Foundation
import Machine

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
    // Write all tables now: otherwise the kernel would write them during the run.
    let eager = "lazy_itable_init=0,lazy_journal_init=0"
    _ = try world.require("mkfs.ext4", ["-q", "-F", "-T", "largefile4", "-m", "0", "-E", eager, file])
  }

  func attach(at mountPoint: String) throws {
    let device = trimmed(
      try world.require("losetup", ["--find", "--show", "--direct-io=on", file]))
    do {
      _ = try world.require("mount", ["-t", "ext4", "-o", "nodev,nosuid,noexec", device, mountPoint])
    } catch {
      _ = world.run("losetup", ["--detach", device], nil)
      throw error
    }
  }

  /// Detach images in `directory`, whether mounted or not.
  static func detachAll(in directory: String, world: World) {
    let folder = (world.resolve(directory) ?? directory) + "/"
    // Another process may get a released device, under the same name. So unmount by mount point,
    // and check a device's file again before detaching it.
    func isOurs(_ device: String) -> Bool {
      world.readText("/sys/block/\(device)/loop/backing_file")?.hasPrefix(folder) == true
    }
    // The kernel releases a device after its last user has closed it, which may take a moment.
    for attempt in 0..<20 {
      let devices = world.list("/sys/block").filter { $0.hasPrefix("loop") && isOurs($0) }
      guard !devices.isEmpty else { return }
      if attempt > 0 { world.sleep(0.1) }
      for mount in LinuxTarget.mounts(world.readText("/proc/self/mountinfo") ?? "")
      where mount.point.hasPrefix(folder) {
        _ = world.run("umount", [mount.point], nil)
      }
      for device in devices where isOurs(device) {
        _ = world.run("losetup", ["--detach", "/dev/" + device], nil)
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

import Base
import Document
import Formats
import Foundation
import LocalState
import MacTools
import Machine

/// A volume that is unmounted and mounted again between writing and reading, so that no read can
/// come from this Mac's memory: an external one or a disk image's, never one of the system's own,
/// and none that might ask its owner for a password. Nothing is forced: a volume in use stays
/// mounted.
package struct RemountableVolume: Equatable, Sendable {
  /// Name under /dev, valid until it is detached: "disk5s2".
  package let device: String
  /// A name that stays valid after that: its UUID, if it has one. Kept only on this Mac.
  package let name: String

  /// The volume of `path`, if it may be remounted.
  /// - Parameter state: the directory of the agent's own files, which are in use.
  static func holding(_ path: String, _ target: TargetRecord, state: String, world: World) -> RemountableVolume? {
    guard world.system == .macOS, isOffered(by: target), let place = world.resolve(path) else { return nil }
    let tools = MacFacts.tools(world)
    let facts = { (device: String) in tools(["diskutil", "info", "-plist", device]).flatMap { ToolValue($0) } }
    guard let device = MacStorage.device(of: path, tools), let volume = facts(device),
      volume["Internal"]?.boolean == false, volume["Encryption"]?.boolean != true, volume["FileVault"]?.boolean != true,
      // A volume mounted elsewhere was mounted by hand, and wouldn't return there.
      let mountPoint = volume["MountPoint"]?.text, mountPoint.hasPrefix("/Volumes/"),
      !lies(world.resolve(state) ?? state, in: mountPoint),
      // A replayed Mac's directory is this machine's.
      world.isSimulated || lies(place, in: mountPoint)
    else { return nil }
    if let container = volume["APFSContainerReference"]?.text {
      guard let system = facts("/")?["APFSContainerReference"]?.text, system != container else { return nil }
    }
    return RemountableVolume(device: device, name: volume["VolumeUUID"]?.text ?? device)
  }

  /// Whether a target of this kind may be on such a volume.
  package static func isOffered(by target: TargetRecord) -> Bool {
    let kinds: [Storage] = [.thunderbolt3, .thunderbolt4, .thunderbolt5, .usb4, .usb3, .sdCard, .diskImage, .other]
    return kinds.contains(target.storage) && target.encryption != .apfsEncrypted
  }

  private static func lies(_ path: String, in directory: String) -> Bool {
    path == directory || path.hasPrefix(directory + "/")
  }

  /// - Returns: whether macOS unmounted it.
  func unmount(_ world: World) -> Bool { world.run("diskutil", ["unmount", device], nil)?.status == 0 }

  /// Mount it, retrying until `directory` exists: a drive may need a moment.
  func mount(until directory: String, _ world: World) throws {
    for attempt in 0..<5 {
      if attempt > 0 { world.sleep(1) }
      Self.mount(name, world)
      if world.resolve(directory) != nil { return }
    }
    throw RemountError()
  }

  static func mount(_ name: String, _ world: World) { _ = world.run("diskutil", ["mount", name], nil) }
}

/// A volume unmounted to empty the cache couldn't be mounted again.
struct RemountError: Error, CustomStringConvertible {
  let description = "the volume was unmounted to empty the cache and could not be mounted again. Mount it in "
    + "Disk Utility; the next macmeter removes the test files"
}

/// A remountable volume while it holds a run's test directory.
struct VolumeUnderTest {
  let volume: RemountableVolume
  let directory: TestDirectory
  /// This process's own locks on directories of the volume, which would keep it mounted.
  let locks: [FileLock]
  let scratch: Scratch
  let id: String
  let world: World

  /// - Returns: false if something on the volume is in use, and it stayed mounted.
  func remount() throws -> Bool {
    // If killed in between, the next start mounts the volume again.
    try scratch.register(directory.path, id: id, unmounting: volume.name)
    locks.forEach { $0.letGo() }
    directory.letGo()
    let unmounted = volume.unmount(world)
    if unmounted { try volume.mount(until: directory.path, world) }
    try directory.hold()
    guard locks.allSatisfy({ $0.take() }) else { throw StateError("another macmeter started to measure here") }
    try scratch.register(directory.path, id: id)
    return unmounted
  }
}

import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState
@testable import Measure

/// A Mac with an external drive whose volume is a directory here, which disappears while unmounted.
/// Like a real one, it stays while anything on it is open.
private final class ExternalDrive: @unchecked Sendable {
  static let uuid = "22222222-3333-4444-5555-666666666666"
  let home: TemporaryDirectory
  let path: String
  var mounts = true
  private(set) var calls: [String] = []
  /// The scratch entries recorded while the volume was unmounted.
  private(set) var registered: [String] = []

  init() throws {
    home = try TemporaryDirectory()
    path = home.path + "/volume"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  var isMounted: Bool { FileManager.default.fileExists(atPath: path) }
  private var away: String { home.path + "/away" }
  var state: String { home.path + "/state" }

  func goAway() { rename(path, away) }

  func world(_ transcript: Transcript = Transcript(), facts: [String: String] = [:], system: String = "disk3") -> World {
    var world = World.real(["MACMETER_HOME": state], transcript: transcript)
    world.system = .macOS
    world.isSimulated = true
    world.thermalState = { nil }
    world.sleep = { _ in }
    world.run = { tool, arguments, _ in
      switch ([tool] + arguments).joined(separator: " ") {
      case let df where df.hasPrefix("df -P"):
        ToolResult(status: 0, output: Data("Filesystem 512-blocks Used Available Capacity Mounted on\n/dev/disk5s2 9 1 8 1% /Volumes/X\n".utf8))
      case "diskutil info -plist disk5s2": ToolResult(status: 0, output: Self.plist(Self.external.merging(facts) { $1 }))
      case "diskutil info -plist /": ToolResult(status: 0, output: Self.plist(["APFSContainerReference": "<string>\(system)</string>"]))
      case "diskutil unmount disk5s2": ToolResult(status: self.unmount() ? 0 : 1, output: Data())
      case "diskutil mount \(Self.uuid)": ToolResult(status: self.mount() ? 0 : 1, output: Data())
      default: nil
      }
    }
    return world
  }

  static let external = [
    "DeviceIdentifier": "<string>disk5s2</string>", "Internal": "<false/>", "Encryption": "<false/>",
    "MountPoint": "<string>/Volumes/X</string>", "APFSContainerReference": "<string>disk5</string>",
    "VolumeUUID": "<string>\(uuid)</string>",
  ]

  private static func plist(_ entries: [String: String]) -> Data {
    let body = entries.map { "<key>\($0)</key>\($1)" }.joined()
    return Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
  }

  private func unmount() -> Bool {
    calls.append("unmount")
    guard !isInUse else { return false }
    let scratch = state + "/scratch"
    registered = ((try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? [])
      .compactMap { try? String(contentsOfFile: scratch + "/" + $0, encoding: .utf8) }
    goAway()
    return true
  }

  private func mount() -> Bool {
    calls.append("mount")
    return mounts && (isMounted || rename(away, path) == 0)
  }

  private var isInUse: Bool {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.contains { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number))?.hasPrefix(path) == true
    }
  }
}

@Suite struct RemountTests {
  private let drive: ExternalDrive
  private let transcript = Transcript()
  private let target = TargetRecord(storage: .thunderbolt3, encryption: .unencrypted)

  init() throws { drive = try ExternalDrive() }

  private func run(_ world: World, locks: [FileLock] = [], remounts: Bool = true) throws -> DiskRun.Result {
    let frame = RunFrame(facts: MachineFacts(), labels: nil, preflight: [], session: try Session(world))
    let method = GradedFiles(name: "small", version: 1, megabytes: [1, 2], defaultSets: 1)
    let run = DiskRun(
      plan: DiskPlan(method: method, sets: 1, seed: 7, blockSize: 1 << 20, rest: 0), path: drive.path, image: nil,
      target: target, frame: frame, locks: locks, remounts: remounts, progress: ProgressLine(phases: 2, world: world, quiet: true))
    return try run.perform()
  }

  private func left(_ directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  @Test("an external volume is unmounted and mounted again before it is read; this agent's locks let go and hold again")
  func remounted() throws {
    let lock = try #require(FileLock(drive.path))
    let result = try run(drive.world(transcript), locks: [lock])
    #expect(result.outcome.ending == .complete)
    #expect(drive.calls == ["unmount", "mount"])
    #expect(result.document.method.parameters?["cache"] == "remounted")
    #expect(result.document.method.parameters?["remount"] == "done")
    #expect(result.outcome.reads.count == 2)
    #expect(drive.registered.first?.contains(ExternalDrive.uuid) == true)
    #expect(FileLock(drive.path) == nil)
    #expect(left(drive.path).isEmpty)
    #expect(left(drive.state + "/scratch").isEmpty)
    #expect(!String(decoding: try result.document.encoded(), as: UTF8.self).contains(ExternalDrive.uuid))
  }

  #if !canImport(Darwin)
    @Test("a volume on which somebody works stays mounted, and the document says so")
    func inUse() throws {
      let work = try drive.home.write("thesis", to: "volume/thesis.txt")
      let open = try #require(FileHandle(forReadingAtPath: work))
      let result = try run(drive.world(transcript))
      try open.close()
      #expect(result.outcome.ending == .complete)
      #expect(drive.calls == ["unmount"])
      #expect(result.document.method.parameters?["cache"] == "invalidated")
      #expect(result.document.method.parameters?["remount"] == "refused")
      #expect(transcript.said.contains("in use and stays mounted"))
      #expect(left(drive.path) == ["thesis.txt"])
    }
  #endif

  @Test("a volume that does not come back ends the run; the next start mounts it and removes the files")
  func lost() throws {
    drive.mounts = false
    let result = try run(drive.world(transcript))
    guard case .failed(let why) = result.outcome.ending else { return #expect(Bool(false), "\(result.outcome.ending)") }
    #expect(why.contains("could not be mounted again"))
    #expect(result.document.state == .incomplete)
    #expect(result.outcome.writes.count == 2)
    #expect(!drive.isMounted)
    drive.mounts = true
    _ = try Session(drive.world(transcript))
    #expect(drive.isMounted)
    #expect(left(drive.path).isEmpty)
    #expect(left(drive.state + "/scratch").isEmpty)
  }

  @Test("a kill while the volume is away: the next start mounts it and removes the files")
  func killed() throws {
    let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"
    let state = try StateDirectory(["MACMETER_HOME": drive.state])
    var run: TestDirectory? = try TestDirectory(in: drive.path, id: id)
    let path = try #require(run?.path)
    run = nil
    _ = try drive.home.write("x", to: "volume/.macmeter-\(id)/1-2000000.macmeter")
    try Scratch(state: state).register(path, id: id, unmounting: ExternalDrive.uuid)
    drive.goAway()
    #expect(Scratch(state: state).removeLeftovers(world: drive.world()) == [path])
    #expect(drive.isMounted)
    #expect(left(drive.path).isEmpty)
  }

  @Test("asked not to, the volume is left alone")
  func notAsked() throws {
    let result = try run(drive.world(transcript), remounts: false)
    #expect(drive.calls.isEmpty)
    #expect(result.document.method.parameters?["cache"] == "invalidated")
    #expect(result.document.method.parameters?["remount"] == nil)
  }

  private func found(_ world: World, _ target: TargetRecord? = nil, state: String? = nil) -> RemountableVolume? {
    RemountableVolume.holding(drive.path, target ?? self.target, state: state ?? drive.state, world: world)
  }

  @Test("never the internal drive's, the system's, a network's, a locked one's, or one that was mounted by hand")
  func never() {
    #expect(found(drive.world()) == RemountableVolume(device: "disk5s2", name: ExternalDrive.uuid))
    let others: [[String: String]] = [
      ["Internal": "<true/>"], ["Internal": "<string>?</string>"], ["Encryption": "<true/>"], ["FileVault": "<true/>"],
      ["MountPoint": "<string>/</string>"], ["MountPoint": "<string>/mnt/backup</string>"], ["MountPoint": "<string></string>"],
    ]
    for facts in others { #expect(found(drive.world(facts: facts)) == nil, "\(facts)") }
    #expect(found(drive.world(system: "disk5")) == nil)
    #expect(found(drive.world(system: "")) == nil)
    #expect(found(drive.world(), state: "/Volumes/X/Library/Macmeter") == nil)
    for storage: Storage in [.internal, .network, .virtualDisk] {
      #expect(found(drive.world(), TargetRecord(storage: storage, encryption: .unencrypted)) == nil)
    }
    #expect(found(drive.world(), TargetRecord(storage: .usb4, encryption: .apfsEncrypted)) == nil)
    var linux = drive.world()
    linux.system = .linux
    #expect(found(linux) == nil)
  }

  @Test("a directory that lies elsewhere than the volume said is not this volume's")
  func elsewhere() {
    var world = drive.world()
    world.isSimulated = false
    #expect(found(world) == nil)
    world.resolve = { $0 == self.drive.path ? "/Volumes/X/bench" : $0 }
    #expect(found(world) != nil)
    world.resolve = { $0 == self.drive.path ? "/Volumes/X2" : $0 }
    #expect(found(world) == nil)
  }

  @Test("it is announced where it may happen, and nowhere else")
  func announced() {
    let run = { (remounts: Bool) in
      PlannedRun(title: "disk", announcement: "", paths: ["/x"], remounts: remounts) { _ in [] }
    }
    let said = { (remounts: Bool, target: TargetRecord, isMac: Bool) in
      Announcement.lines([run(remounts)], ["/x": target], isMac: isMac).joined().contains("--no-remount")
    }
    #expect(said(true, target, true))
    #expect(!said(false, target, true))
    #expect(!said(true, target, false))
    #expect(!said(true, TargetRecord(storage: .internal, encryption: .hardware), true))
  }
}

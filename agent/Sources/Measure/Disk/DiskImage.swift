import Base
import Document
import Foundation

/// A disk image to create: format, encryption, capacity.
package struct ImageRequest: Equatable, Sendable {
  package var format: ImageFormat
  package var encryption: Encryption
  package var capacity: Int
  /// The state to bring the image into before it is measured.
  package var state = ImageState.new

  package init(format: ImageFormat, encryption: Encryption, capacity: Int, state: ImageState = ImageState.new) {
    self.format = format
    self.encryption = encryption
    self.capacity = capacity
    self.state = state
  }

  /// "a new sparse bundle", "a part filled ASIF disk image", "an emptied RAW disk image".
  package var words: String {
    "\(state == .emptied ? "an" : "a") \(state.words) \(format.words)"
  }

  /// Bytes written to it beforehand, and removed again for an emptied image: half of its capacity.
  package var fill: Int { state == .new ? 0 : capacity / 2 / 1_000_000 * 1_000_000 }
}

/// Why an image couldn't be created or mounted.
package struct ImageError: Error, CustomStringConvertible, Equatable {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// A disk image that the agent created for one run, mounted inside the run's test directory. It is
/// remounted between writing and reading, and removed after the run.
package final class DiskImage {
  let request: ImageRequest
  let mountPoint: String
  private let tools: any ImageTools
  private let world: World

  /// Create and mount the image; on failure leave nothing behind.
  package init(_ request: ImageRequest, in directory: TestDirectory, world: World) throws {
    self.request = request
    self.world = world
    mountPoint = directory.path + "/" + TestDirectory.mountName
    tools = Self.tools(request, directory: directory.path, world: world)
    guard mkdir(mountPoint, 0o700) == 0 else { throw TransferError(call: "mkdir", code: errno) }
    do {
      try tools.create(request)
      try tools.attach(at: mountPoint)
    } catch {
      directory.remove()
      throw error
    }
  }

  /// The image's file, whose pages the system may cache.
  package var file: String { tools.file }

  func remount() throws {
    try tools.detach(from: mountPoint)
    try StorageCache.evict(file)
    try tools.attach(at: mountPoint)
  }

  /// Fill half of the image, and empty an emptied one again. The writes use no cache that a remount
  /// wouldn't empty.
  func reachState(seed: Int, _ progress: ProgressLine) throws {
    guard request.fill > 0 else { return }
    progress.begin("Filling the image", bytes: request.fill)
    let writer = BlockTransfer(blockSize: 1 << 20, seed: ~seed, world: world)
    var files: [String] = []
    for start in stride(from: 0, to: request.fill, by: Self.fillFile) {
      let file = mountPoint + "/fill-\(files.count)" + PlannedFile.suffix
      files.append(file)
      _ = try writer.write(
        file, bytes: min(Self.fillFile, request.fill - start), progress: progress.advance(bytes:))
    }
    if request.state == .emptied { files.forEach { unlink($0) } }
    try remount()
  }

  private static let fillFile = 1_000_000_000

  func detach() { try? tools.detach(from: mountPoint) }

  /// Throw if such an image isn't possible, before anything is written.
  package static func check(_ format: ImageFormat, _ encryption: Encryption, world: World) throws {
    guard supported.contains(format) else {
      let possible = supported.map(\.rawValue).joined(separator: ", ")
      throw ImageError("this system cannot make \(format.words)s; use --image \(possible)")
    }
    try checkHere(format, encryption, world: world)
  }

  /// Unmount and detach what a killed run left in its test directory.
  static func detachLeftover(in directory: String, world: World) {
    guard access(directory + "/" + TestDirectory.mountName, F_OK) == 0 else { return }
    // A tool started by the killed run still finishes its work.
    for _ in 0..<100 where isToolAtWork(on: directory, world) { world.sleep(0.1) }
    detachAll(in: directory, world: world)
  }
}

extension DiskImage {
  /// Whether a process has this test directory in its arguments.
  private static func isToolAtWork(on directory: String, _ world: World) -> Bool {
    let name = (directory as NSString).lastPathComponent
    switch world.system {
    case .macOS: return world.run("ps", ["-axww", "-o", "args="], nil)?.text.contains(name) == true
    case .linux:
      return world.list("/proc").contains { process in
        Int(process) != nil && world.readText("/proc/\(process)/cmdline")?.contains(name) == true
      }
    }
  }
}

/// A platform's way to create, mount and unmount an image.
protocol ImageTools {
  var file: String { get }
  func create(_ request: ImageRequest) throws
  func attach(at mountPoint: String) throws
  func detach(from mountPoint: String) throws
}

extension World {
  /// Run a tool that must succeed; throw its complaint otherwise.
  func require(_ tool: String, _ arguments: [String], input: String? = nil) throws -> String {
    guard let result = run(tool, arguments, input) else { throw ImageError("\(tool) is not installed") }
    guard result.status == 0 else {
      let complaint = trimmed(result.errors.split(separator: "\n").last ?? "")
      throw ImageError("\(tool) failed (\(result.status)): \(complaint)")
    }
    return result.text
  }
}

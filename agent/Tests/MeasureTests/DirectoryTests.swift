import Foundation
import TestSupport
import Testing

@testable import Base
@testable import LocalState
@testable import MacTools
@testable import Measure

@Suite struct DirectoryTests {
  let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"
  let world = World.real([:])

  @Test("a living run's directory is left alone, a dead one's is removed")
  func leftovers() throws {
    let parent = try TemporaryDirectory()
    var living: TestDirectory? = try TestDirectory(in: parent.path, id: id)
    let path = living?.path ?? ""
    _ = try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/1-2000000.macmeter"))
    #expect(TestDirectory.removeLeftovers(in: parent.path, world: world) == 0)
    #expect(FileManager.default.fileExists(atPath: path))
    living = nil  // like a kill: the lock is gone, the files remain
    #expect(TestDirectory.removeLeftovers(in: parent.path, world: world) == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("what is not the agent's own stays, and so does its directory")
  func foreign() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.path + "/.macmeter-" + id
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    _ = try parent.write("mine", to: ".macmeter-\(id)/thesis.txt")
    _ = try parent.write("own", to: ".macmeter-\(id)/1-2000000.macmeter")
    _ = try parent.write("mine", to: ".macmeter-notes")
    TestDirectory.removeLeftovers(in: parent.path, world: world)
    #expect(FileManager.default.fileExists(atPath: directory + "/thesis.txt"))
    #expect(!FileManager.default.fileExists(atPath: directory + "/1-2000000.macmeter"))
    #expect(FileManager.default.fileExists(atPath: parent.path + "/.macmeter-notes"))
  }

  @Test("a link in the place of a test directory is not followed")
  func links() throws {
    let parent = try TemporaryDirectory()
    let precious = try TemporaryDirectory()
    let file = try precious.write("precious", to: "1-2000000.macmeter")
    try FileManager.default.createSymbolicLink(
      atPath: parent.path + "/.macmeter-" + id, withDestinationPath: precious.path)
    TestDirectory.removeLeftovers(in: parent.path, world: world)
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("what killed agents were writing goes at the next start; what a living one writes stays")
  func temporaries() throws {
    let home = try TemporaryDirectory()
    let state = try StateDirectory(["MACMETER_HOME": home.path])
    let dead = 4_194_303  // no process has such a high number for long
    let own = ["pending/\(id).json", "sent/\(id).note", "scratch/\(id)", "written.json"]
    for name in own { for writer in [dead, Int(getpid())] { _ = try home.write("half", to: "\(name).tmp-\(writer)") } }
    _ = try home.write("mine", to: "thesis.tmp-\(dead)")
    state.removeTemporaries()
    for name in own {
      #expect(!FileManager.default.fileExists(atPath: state.path("\(name).tmp-\(dead)")), "\(name)")
      #expect(FileManager.default.fileExists(atPath: state.path("\(name).tmp-\(getpid())")), "\(name)")
    }
    #expect(FileManager.default.fileExists(atPath: state.path("thesis.tmp-\(dead)")))
  }

  @Test("a tool that a killed run had started is waited for")
  func orphan() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.path + "/.macmeter-" + id
    try FileManager.default.createDirectory(atPath: directory + "/mounted", withIntermediateDirectories: true)
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/bin/sh")
    tool.arguments = ["-c", "sleep 0.4; mkdir -p \"$0\"; echo late > \"$0/image.raw\"", directory]
    try tool.run()
    #expect(TestDirectory.removeLeftovers(in: parent.path, world: world) == 1)
    tool.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test("images of a killed run are found by where they lie, mounted or not")
  func images() throws {
    let list = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>images</key><array>
      <dict><key>image-path</key><string>/V/.macmeter-a/image.dmg</string><key>system-entities</key><array>
      <dict><key>dev-entry</key><string>/dev/disk4s1</string></dict><dict><key>dev-entry</key><string>/dev/disk4</string></dict>
      </array></dict>
      <dict><key>image-path</key><string>/V/.macmeter-ab/image.dmg</string><key>system-entities</key><array>
      <dict><key>dev-entry</key><string>/dev/disk6</string></dict></array></dict></array></dict></plist>
      """
    #expect(AttachedImages.disks(ofImagesIn: "/V/.macmeter-a", in: Data(list.utf8)) == ["disk4"])
    #expect(AttachedImages.disks(ofImagesIn: "/V/.macmeter-a", in: Data("?".utf8)).isEmpty)
  }

  @Test("leftovers elsewhere are found through the state, never through a forged entry")
  func scratch() throws {
    let home = try TemporaryDirectory()
    let parent = try TemporaryDirectory()
    let state = try StateDirectory(["MACMETER_HOME": home.path])
    let scratch = Scratch(state: state)
    var run: TestDirectory? = try TestDirectory(in: parent.path, id: id)
    let path = run?.path ?? ""
    try scratch.register(path, id: id)
    #expect(scratch.removeLeftovers(world: world).isEmpty)
    run = nil
    #expect(scratch.removeLeftovers(world: world) == [path])
    let other = "0193a2b4-6d7e-7f80-8a1b-2c3d4e5f6a7b"
    try scratch.register(parent.path, id: other)
    #expect(scratch.removeLeftovers(world: world).isEmpty)
    #expect(FileManager.default.fileExists(atPath: parent.path))
  }
}

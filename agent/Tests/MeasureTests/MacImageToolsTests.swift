import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Measure

/// Which macOS tool creates and attaches an image, and with which arguments.
@Suite struct MacImageToolsTests {
  private final class Asked: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    var all: [String] { lock.withLock { lines } }
    func note(_ line: String) { lock.withLock { lines.append(line) } }
  }

  private func commands(_ format: ImageFormat, _ encryption: Encryption, system: String) throws -> [String] {
    let asked = Asked()
    var world = World.test()
    world.run = { tool, arguments, _ in
      if tool == "sw_vers" { return ToolResult(status: 0, output: Data(system.utf8)) }
      asked.note(([tool] + arguments).joined(separator: " "))
      return ToolResult(status: 0, output: Data())
    }
    let request = ImageRequest(format: format, encryption: encryption, capacity: 1 << 30)
    let tools = MacImageTools(request: request, directory: "/d", world: world)
    try tools.create(request)
    try tools.attach(at: "/d/mounted")
    return asked.all
  }

  @Test("hdiutil makes older formats until it warns that it will go, diskutil from then on", arguments: [
    (ImageFormat.raw, Encryption.unencrypted, "26.4", "hdiutil"), (.raw, .unencrypted, "27.0", "diskutil"),
    (.sparseBundle, .imageAES256, "27.1", "diskutil"), (.sparseBundle, .imageAES128, "27.1", "hdiutil"),
    (.sparseImage, .unencrypted, "27.0", "hdiutil"), (.asif, .unencrypted, "26.0", "diskutil"), (.raw, .unencrypted, "", "hdiutil"),
  ])
  func tool(format: ImageFormat, encryption: Encryption, system: String, tool: String) throws {
    let asked = try commands(format, encryption, system: system)
    #expect(asked.count == 2)
    #expect(asked.allSatisfy { $0.hasPrefix(tool + " ") }, "\(asked)")
    // With -quiet, it would print no error.
    #expect(asked.allSatisfy { !$0.contains("-quiet") })
  }

  @Test("options of the whole come before diskutil's verbs")
  func order() throws {
    let encrypted = try commands(.asif, .imageAES256, system: "26.4")
    #expect(encrypted[0].hasPrefix("diskutil image --stdinpass create --encrypt blank --format ASIF "))
    #expect(encrypted[1].hasPrefix("diskutil image --stdinpass attach "))
    #expect(try commands(.raw, .unencrypted, system: "27.0")[0].hasPrefix("diskutil image create blank --format RAW "))
  }
}

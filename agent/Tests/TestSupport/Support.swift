import Base
import Foundation

/// The repository's root, wherever it is checked out.
package let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A test's own directory, removed with it. It is on the repository's file system, which unlike
/// /tmp is never in memory.
package final class TemporaryDirectory {
  package let path: String

  package init() throws {
    path = repository.path + "/agent/.build/test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// Output of a test's world.
package final class Transcript: @unchecked Sendable {
  package init() {}

  private let lock = NSLock()
  private var printedLines: [String] = []
  private var saidLines: [String] = []

  package var printed: String { lock.withLock { printedLines.joined(separator: "\n") } }
  package var said: String { lock.withLock { saidLines.joined(separator: "\n") } }

  package var terminal: Terminal {
    Terminal(
      print: { line in self.lock.withLock { self.printedLines.append(line) } },
      say: { line in self.lock.withLock { self.saidLines.append(line) } },
      redraw: { _ in }, ask: { _ in nil }, isInteractive: false, hasColour: false)
  }
}

extension World {
  /// A world with the real clock and randomness, but only the system files given: `files` by path,
  /// `links` from path to resolved path, `tools` by their words.
  package static func test(
    files: [String: String] = [:], links: [String: String] = [:], tools: [String: String] = [:],
    environment: [String: String] = [:], transcript: Transcript = Transcript()
  ) -> World {
    var world = World.quiet(transcript)
    world.environment = environment
    world.readText = { files[$0] }
    world.resolve = { path in links[path] ?? (files.keys.contains { $0.hasPrefix(path + "/") } ? path : nil) }
    world.list = { directory in
      let inside = (Array(files.keys) + Array(links.keys)).filter { $0.hasPrefix(directory + "/") }
      return Set(inside.compactMap { $0.dropFirst(directory.count + 1).split(separator: "/").first.map(String.init) })
        .sorted()
    }
    world.run = { tool, arguments, _ in
      let words = ([tool] + arguments).joined(separator: " ")
      return tools[words].map { ToolResult(status: 0, output: Data($0.utf8)) }
    }
    return world
  }

  /// A Mac that answers with `tools`, wherever the test runs.
  package static func mac(tools: [String: String] = [:], transcript: Transcript = Transcript()) -> World {
    var world = World.test(tools: tools, transcript: transcript)
    world.system = .macOS
    return world
  }

  /// The real system, with a terminal that a test can read.
  package static func real(_ environment: [String: String], transcript: Transcript = Transcript()) -> World {
    var world = World.live()
    world.environment = environment
    world.terminal = transcript.terminal
    return world
  }

  private static func quiet(_ transcript: Transcript) -> World {
    var world = World.live()
    world.terminal = transcript.terminal
    world.thermalState = { nil }
    return world
  }
}

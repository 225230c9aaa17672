import Foundation

/// Everything outside this program that its logic asks or tells: clocks, processes, small files of
/// the system, the server, the terminal. Handed down, never global; tests hand down another one.
/// The measured transfers themselves are real system calls and no part of it.
package struct World: Sendable {
  package var environment: [String: String]
  /// Whose tools and small files tell what the machine is.
  package var system: SystemKind
  /// Whether those are a replayed Mac's answers, which every document then says.
  package var isSimulated = false
  /// The date and time, which may jump.
  package var wallClock: @Sendable () -> Date
  /// Nanoseconds that never jump and stop while the machine sleeps.
  package var monotonic: @Sendable () -> UInt64
  /// Waits that many seconds; ends early when interrupted.
  package var sleep: @Sendable (Double) -> Void
  /// Whether somebody asked this program to stop (Ctrl-C, SIGTERM, SIGHUP).
  package var interrupted: @Sendable () -> Bool
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// A small text file of the system (/proc, /sys, /etc); nil where it is absent or unreadable.
  package var readText: @Sendable (String) -> String?
  /// The names in a directory, sorted; empty where there is none.
  package var list: @Sendable (String) -> [String]
  /// The path with every link followed; nil where there is nothing.
  package var resolve: @Sendable (String) -> String?
  /// Runs a tool of the system to its end, without a shell; nil where it cannot be started.
  package var run: @Sendable (_ tool: String, _ arguments: [String], _ input: String?) -> ToolResult?
  /// Starts a tool that runs until it is stopped, and hands over its output as it comes;
  /// nil where it cannot be started.
  package var stream: @Sendable (_ command: [String], _ take: @escaping @Sendable (Data) -> Void) -> RunningTool?
  /// How hot the system says it is ("nominal", "fair", "serious", "critical"); nil where it does not.
  package var thermalState: @Sendable () -> String?
  package var http: @Sendable (HTTPRequest) throws -> HTTPResponse
  /// Names that must not leave the machine: the user's and the host's.
  package var privateNames: @Sendable () -> [String]
  package var terminal: Terminal
}

package enum SystemKind: String, Sendable {
  case macOS = "macos"
  case linux
}

/// What a tool of the system answered.
package struct ToolResult: Sendable {
  package var status: Int32
  package var output: Data
  package var errors: String

  package init(status: Int32, output: Data, errors: String = "") {
    self.status = status
    self.output = output
    self.errors = errors
  }

  package var text: String { String(decoding: output, as: UTF8.self) }
}

/// A tool that runs until it is stopped.
package struct RunningTool: Sendable {
  /// Ends it and waits; all it printed has been handed over, except for its complaints.
  package var stop: @Sendable () -> ToolResult

  package init(stop: @escaping @Sendable () -> ToolResult) {
    self.stop = stop
  }
}

extension World {
  /// The real world.
  package static func live() -> World {
    let interruption = Interruption()
    return World(
      environment: ProcessInfo.processInfo.environment,
      system: .own,
      wallClock: { Date() },
      monotonic: SystemKind.monotonicNanoseconds,
      sleep: interruption.wait(seconds:),
      interrupted: { interruption.happened },
      randomBytes: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } },
      readText: { path in
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self)
      },
      list: { path in
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      },
      resolve: resolvedPath,
      run: runTool,
      stream: streamTool,
      thermalState: SystemKind.thermalState,
      http: { request in try HTTPExchange.perform(request, interrupted: { interruption.happened }) },
      privateNames: userAndHostNames,
      terminal: .live(ProcessInfo.processInfo.environment, interrupted: { interruption.happened })
    )
  }
}

private func userAndHostNames() -> [String] {
  var host = [CChar](repeating: 0, count: 256)
  gethostname(&host, host.count - 1)
  let hostName = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  let shortHost = hostName.split(separator: ".").first.map(String.init)
  return [NSUserName(), NSFullUserName(), hostName, shortHost].compactMap { $0 }.filter { !$0.isEmpty }
}

private func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

private func runTool(_ tool: String, _ arguments: [String], _ input: String?) -> ToolResult? {
  // Tools that tell facts do so in seconds. One that waits for a server which is gone never would;
  // but an image may take as long to write as its size asks.
  let makesImages = tool == "hdiutil" || (tool == "diskutil" && arguments.first == "image")
  return runTool(tool, arguments, input, mostSeconds: makesImages ? nil : 180)
}

/// - Returns: nil for a tool that is not there, was ended by a signal, or took too long.
func runTool(_ tool: String, _ arguments: [String], _ input: String?, mostSeconds: Double?) -> ToolResult? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", tool] + arguments
  let output = Pipe()
  let errors = Pipe()
  let supply = Pipe()
  process.standardInput = supply
  process.standardOutput = output
  process.standardError = errors
  guard (try? process.run()) != nil else { return nil }
  try? supply.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
  try? supply.fileHandleForWriting.close()
  // Both are read at once: either may exceed a pipe, and the tool waits until somebody reads it.
  let complaint = Complaint()
  let complained = DispatchGroup()
  DispatchQueue(label: "macmeter.tool.errors").async(group: complained) {
    complaint.text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
  let running = Running(process)
  let tooLong = DispatchWorkItem { running.end(after: 2) }
  if let mostSeconds { DispatchQueue.global().asyncAfter(deadline: .now() + mostSeconds, execute: tooLong) }
  let printed = output.fileHandleForReading.readDataToEndOfFile()
  complained.wait()
  process.waitUntilExit()
  tooLong.cancel()
  // What was printed until a signal may be half of it.
  guard process.terminationReason == .exit, process.terminationStatus != 127 else { return nil }
  return ToolResult(
    status: process.terminationStatus, output: printed, errors: complaint.text)
}

private func streamTool(_ command: [String], _ take: @escaping @Sendable (Data) -> Void) -> RunningTool? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"] + command
  let output = Pipe()
  let errors = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = errors
  guard (try? process.run()) != nil else { return nil }
  let ended = DispatchGroup()
  DispatchQueue(label: "macmeter.stream").async(group: ended) {
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty { take(data) }
  }
  let complaint = Complaint()
  DispatchQueue(label: "macmeter.stream.errors").async(group: ended) {
    complaint.text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
  let running = Running(process)
  return RunningTool {
    running.end(after: 2)
    // A child of the tool may hold its output open; its samples are here all the same.
    _ = ended.wait(timeout: .now() + 2)
    return ToolResult(status: running.status, output: Data(), errors: complaint.text)
  }
}

private final class Complaint: @unchecked Sendable {
  private let lock = NSLock()
  private var kept = ""
  var text: String {
    get { lock.withLock { kept } }
    set { lock.withLock { kept = newValue } }
  }
}

/// A process that is asked to end, and made to where it does not.
private final class Running: @unchecked Sendable {
  private let process: Process
  init(_ process: Process) { self.process = process }

  var status: Int32 { process.isRunning ? -1 : process.terminationStatus }

  func end(after seconds: Double) {
    // A tool that ignores the signals which the agent ignores must not outlive it.
    if process.isRunning { process.terminate() }
    let limit = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < limit { usleep(20_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

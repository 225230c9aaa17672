import Foundation

/// Everything outside this program that its logic reads or drives: clocks, processes, small system
/// files, the server, the terminal. Passed down, never global; tests pass another one. The measured
/// transfers are real system calls and not part of it.
package struct World: Sendable {
  package var environment: [String: String]
  /// The system whose tools and files describe this machine.
  package var system: SystemKind
  /// Whether a replayed Mac answers; every document then says so.
  package var isSimulated = false
  /// The date and time, which may jump.
  package var wallClock: @Sendable () -> Date
  /// Nanoseconds on a clock that never jumps and stops while the machine sleeps.
  package var monotonic: @Sendable () -> UInt64
  /// Wait that many seconds, or less if interrupted.
  package var sleep: @Sendable (Double) -> Void
  /// Whether the user asked this program to stop (Ctrl-C, SIGTERM, SIGHUP).
  package var interrupted: @Sendable () -> Bool
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// A small system text file (/proc, /sys, /etc); nil if absent or unreadable.
  package var readText: @Sendable (String) -> String?
  /// The names in a directory, sorted; empty if there is none.
  package var list: @Sendable (String) -> [String]
  /// The path with every link followed; nil if there is nothing.
  package var resolve: @Sendable (String) -> String?
  /// Run a system tool to its end, without a shell; nil if it can't be started.
  package var run: @Sendable (_ tool: String, _ arguments: [String], _ input: String?) -> ToolResult?
  /// Start a tool that runs until stopped, and pass on its output as it arrives; nil if it can't be
  /// started.
  package var stream: @Sendable (_ command: [String], _ take: @escaping @Sendable (Data) -> Void) -> RunningTool?
  /// Become another program, named with its whole path; returns only if that can't be started.
  package var become: @Sendable (_ command: [String]) -> Void
  /// The system's thermal state ("nominal", "fair", "serious", "critical"); nil if it reports none.
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

/// The result of a system tool.
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

/// A tool that runs until stopped.
package struct RunningTool: Sendable {
  /// End it and wait; all its output has then been passed on. Return its standard error.
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
      become: becomeProgram,
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
  // Tools that report facts take seconds. One that waits for a lost server would never end; but the
  // time to write an image depends on its size.
  let makesImages = tool == "hdiutil" || (tool == "diskutil" && arguments.first == "image")
  return runTool(tool, arguments, input, mostSeconds: makesImages ? nil : 180)
}

private func becomeProgram(_ command: [String]) {
  var words = command.map { strdup($0) }
  words.append(nil)
  execv(command[0], words)
  words.forEach { free($0) }
}

/// - Returns: nil for a tool that is missing, was ended by a signal, or took too long.
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
  // Read both at once: either may fill its pipe, and the tool would then block.
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
  // Output cut off by a signal may be incomplete.
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
    // A child of the tool may hold its output open; its samples have arrived already.
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

/// A process that is asked to end, and killed if it doesn't.
private final class Running: @unchecked Sendable {
  private let process: Process
  init(_ process: Process) { self.process = process }

  var status: Int32 { process.isRunning ? -1 : process.terminationStatus }

  func end(after seconds: Double) {
    // A tool that ignores the signals the agent ignores must not outlive it.
    if process.isRunning { process.terminate() }
    let limit = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < limit { usleep(20_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

import Foundation
import LocalState

/// Root's LaunchDaemon, or a user's LaunchAgent.
struct Launchd: Scheduler {
  static let label = "org.macmeter.agent"

  /// nil for root.
  let home: String?
  let user: UInt32

  private var path: String { (home ?? "") + (home == nil ? "/Library/LaunchDaemons/" : "/Library/LaunchAgents/") + Self.label + ".plist" }
  private var domain: String { home == nil ? "system" : "gui/\(user)" }

  var paths: [String] { [path] }
  var folders: [String] { home.map { [$0 + "/Library/LaunchAgents"] } ?? [] }
  var load: [[String]] { [["launchctl", "bootstrap", domain, path]] }
  var unload: [[String]] { [["launchctl", "bootout", "\(domain)/\(Self.label)"]] }
  var forget: [[String]] { [] }
  var loaded: [String]? { ["launchctl", "print", "\(domain)/\(Self.label)"] }
  /// A user's jobs run in their session at the screen. Over SSH, or on a Mac that nobody has logged
  /// in to, there may be none.
  var session: (command: [String], failure: String, remedy: String)? {
    guard home != nil else { return nil }
    return (
      ["launchctl", "print", domain], "launchd runs a user's job only while they are logged in at the screen",
      "Log in there, or run `sudo macmeter schedule`: that job belongs to the machine and needs nobody.")
  }

  func files(_ schedule: Schedule) -> [(path: String, text: String)] {
    var times = [("Hour", schedule.moment.hour), ("Minute", schedule.moment.minute)]
    if schedule.interval == .week { times.insert(("Weekday", schedule.moment.weekday), at: 0) }
    let when = times.map { "    <key>\($0.0)</key><integer>\($0.1)</integer>" }
    let words = schedule.command.map { "    <string>\(Self.escaped($0))</string>" }
    let environment = schedule.environment.sorted { $0.key < $1.key }.map {
      "    <key>\($0.key)</key><string>\(Self.escaped($0.value))</string>"
    }
    let log = schedule.environment["MACMETER_HOME"].map {
      "\n  <key>StandardErrorPath</key><string>\(Self.escaped($0 + "/" + StateDirectory.scheduleLog))</string>"
    }
    // The system may throttle any process type except Interactive, which would distort results.
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key><string>\(Self.label)</string>
        <key>ProgramArguments</key>
        <array>
      \(words.joined(separator: "\n"))
        </array>
        <key>EnvironmentVariables</key>
        <dict>
      \(environment.joined(separator: "\n"))
        </dict>
        <key>StartCalendarInterval</key>
        <dict>
      \(when.joined(separator: "\n"))
        </dict>
        <key>ProcessType</key><string>Interactive</string>\(log ?? "")
      </dict>
      </plist>

      """
    return [(path, text)]
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}

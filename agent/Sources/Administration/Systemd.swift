import Document
import Foundation

/// A systemd service and its timer, for the system or a user.
struct Systemd: Scheduler {
  /// A user's configuration directory; nil for the system.
  let configuration: String?

  private var folder: String { configuration.map { $0 + "/systemd/user" } ?? "/etc/systemd/system" }
  private var systemctl: [String] { configuration == nil ? ["systemctl"] : ["systemctl", "--user"] }
  private static let names = ["macmeter.service", "macmeter.timer"]

  var paths: [String] { Self.names.map { folder + "/" + $0 } }
  var folders: [String] {
    configuration.map { [folder + "/timers.target.wants", folder, $0 + "/systemd"] } ?? []
  }
  var load: [[String]] {
    [systemctl + ["daemon-reload"], systemctl + ["enable", "--now", "macmeter.timer"]]
  }
  var unload: [[String]] { [systemctl + ["disable", "--now", "macmeter.timer"]] }
  var loaded: [String]? { nil }
  var session: (command: [String], failure: String, remedy: String)? { nil }
  var forget: [[String]] { [systemctl + ["daemon-reload"]] }

  func files(_ schedule: Schedule) -> [(path: String, text: String)] {
    let environment = schedule.environment.sorted { $0.key < $1.key }.map {
      "Environment=\(Self.quoted("\($0.key)=\($0.value)"))"
    }
    let service = """
      [Unit]
      Description=Macmeter measures this machine
      Documentation=man:macmeter(1)
      After=network-online.target

      [Service]
      Type=oneshot
      ExecStart=\(schedule.command.map(Self.quotedCommand).joined(separator: " "))
      \(environment.joined(separator: "\n"))

      """
    let timer = """
      [Unit]
      Description=When Macmeter measures this machine

      [Timer]
      OnCalendar=\(Self.calendar(schedule))
      RandomizedDelaySec=30min
      Persistent=true

      [Install]
      WantedBy=timers.target

      """
    return Array(zip(paths, [service, timer]))
  }

  private static func calendar(_ schedule: Schedule) -> String {
    let moment = schedule.moment
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let time = "*-*-* \(Schedule.Moment.twoDigits(moment.hour)):\(Schedule.Moment.twoDigits(moment.minute)):00"
    return schedule.interval == .week ? "\(days[moment.weekday]) \(time)" : time
  }

  /// Quote a word for systemd: escape quotes and backslashes, double %.
  private static func quoted(_ word: String) -> String {
    let inner = word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "%", with: "%%")
    return "\"\(inner)\""
  }

  /// Quote a word of a command: also double $, which would start a variable.
  private static func quotedCommand(_ word: String) -> String {
    quoted(word.replacingOccurrences(of: "$", with: "$$"))
  }
}

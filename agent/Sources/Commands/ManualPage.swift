import Administration
import Document
import Foundation

/// The manual page in mdoc(7), generated from the command table.
enum ManualPage {
  static func text(_ commands: [Command]) -> String {
    var lines = [
      ".\\\" Made by `macmeter help --man`; do not edit.",
      ".Dd November 22, 2026", ".Dt MACMETER 1", ".Os Macmeter \(Program.version)",
      ".Sh NAME", ".Nm macmeter", ".Nd benchmark this machine and upload the results",
      ".Sh SYNOPSIS",
    ]
    for command in commands { lines += synopsis(command) }
    lines += [".Sh DESCRIPTION"] + paragraph(Help.purpose)
    lines += [".Pp", "The commands are:", ".Bl -tag -width Ds"]
    for command in commands { lines += description(command) }
    lines += [".El"] + environment + files + [".Sh EXIT STATUS", ".Bl -tag -width 130"]
    for code in ExitCode.allCases { lines += [".It \(code.rawValue)"] + paragraph(code.meaning + ".") }
    lines += [".El", ".Sh EXAMPLES", "Enrol with a server, then measure the current directory:"]
    lines += [".Bd -literal -offset indent", "macmeter enroll --server https://example.org --token TOKEN"]
    lines += ["macmeter disk", ".Ed"]
    return lines.joined(separator: "\n")
  }

  private static func synopsis(_ command: Command) -> [String] {
    var lines = [".Nm", ".Cm \(command.name)"]
    if !command.options.isEmpty { lines.append(".Op Ar options") }
    if !command.operands.isEmpty { lines.append(".Ar \(escaped(command.operands))") }
    return lines
  }

  private static func description(_ command: Command) -> [String] {
    var lines = [".It Cm \(command.name)\(command.operands.isEmpty ? "" : " Ar " + escaped(command.operands))"]
    lines += paragraph(command.abstract + ".")
    if !command.discussion.isEmpty { lines += [".Pp"] + paragraph(command.discussion) }
    guard !command.options.isEmpty else { return lines }
    lines.append(".Bl -tag -width Ds")
    for option in command.options {
      lines.append(".It Fl -\(option.name)" + (option.value.map { " Ar " + escaped($0) } ?? ""))
      lines += paragraph(sentence(option.help))
    }
    return lines + [".El"]
  }

  private static let environment = [
    ".Sh ENVIRONMENT", ".Bl -tag -width MACMETER_HOME",
    ".It Ev MACMETER_HOME", "The directory for the agent's identity, enrolment and runs.",
    ".It Ev NO_COLOR", "Print without colours or bold text.", ".El",
  ]

  private static let files = [
    ".Sh FILES", ".Bl -tag -width Ds",
    ".It Pa ~/Library/Application Support/Macmeter", "The agent's files on macOS.",
    ".It Pa ~/.local/state/macmeter", "The same on Linux.",
    ".It Pa /Library/Managed Preferences/\(Preferences.domain).plist", "Preferences from a configuration profile.",
    ".It Pa /etc/macmeter/preferences.json", "Preferences on Linux.", ".El",
  ]

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Escaped lines of text, so that none starts a macro; in mdoc each sentence starts a line.
  private static func paragraph(_ text: String) -> [String] {
    let flat = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return flat.replacingOccurrences(of: ". ", with: ".\n").split(separator: "\n").map { escaped(String($0)) }
  }

  private static func escaped(_ text: String) -> String {
    let plain = text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "…", with: "...")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

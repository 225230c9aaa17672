import Base

/// Help, generated from the command table.
enum Help {
  static let purpose = "Benchmarks this machine and uploads the results, so that they can be compared."

  static func overview(_ commands: [Command]) -> String {
    var table = TextTable(headings: ["", ""], alignments: [.left, .left])
    table.rows = commands.map { ["  " + $0.name, $0.abstract] }
    return """
      \(purpose)

      Usage: macmeter COMMAND [OPTIONS]

      \(table.lines().dropFirst().joined(separator: "\n"))

      `macmeter help COMMAND` explains a command. `macmeter --version` prints the version.
      """
  }

  /// - Parameter width: the terminal's columns; nil if lines may have any length.
  static func page(_ command: Command, width: Int? = nil) -> String {
    let options = command.options.isEmpty ? "" : "[OPTIONS]"
    // What follows -- belongs to another program.
    let rest = command.operands.hasPrefix("--") ? [options, command.operands] : [command.operands, options]
    let usage = (["macmeter", command.name] + rest).filter { !$0.isEmpty }.joined(separator: " ")
    var parts = [command.abstract + ".", "Usage: " + usage].map { wrapped($0, width) }
    if !command.discussion.isEmpty { parts.append(fitted(command.discussion, width)) }
    if !command.options.isEmpty {
      let names = command.options.map { "  --" + [$0.name, $0.value].compactMap { $0 }.joined(separator: " ") }
      let column = (names.map(\.count).max() ?? 0) + 3
      let isNarrow = width.map { $0 < column + 30 } ?? false
      parts.append(zip(names, command.options).map { name, option in
        let start = isNarrow ? name + "\n" : name + String(repeating: " ", count: column - name.count)
        return start + wrapped(option.help, width, indent: isNarrow ? 6 : column, first: isNarrow)
      }.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  /// Rewrap paragraphs that are too wide; lines to be typed stay as they are.
  private static func fitted(_ text: String, _ width: Int?) -> String {
    guard let width, text.split(separator: "\n").contains(where: { $0.count > width }) else { return text }
    return text.components(separatedBy: "\n\n").map { paragraph in
      let lines = paragraph.components(separatedBy: "\n")
      let typed = lines.firstIndex { $0.hasPrefix("macmeter ") } ?? lines.count
      return ([wrapped(lines[..<typed].joined(separator: " "), width)] + lines[typed...]).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// - Parameter first: whether the first line is indented too.
  private static func wrapped(_ text: String, _ width: Int?, indent: Int = 0, first: Bool = false) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if let width, !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += (line.isEmpty ? "" : " ") + word
      }
    }
    return (first ? margin : "") + lines.joined(separator: "\n" + margin)
  }

  static var exitCodes: String {
    var table = TextTable(headings: ["", ""], alignments: [.right, .left])
    table.rows = ExitCode.allCases.map { ["  \($0.rawValue)", $0.meaning] }
    return "Exit codes\n" + table.lines().dropFirst().joined(separator: "\n")
  }

  /// Suggest the command that has this synonym, or the closest name.
  static func suggestion(forCommand name: String, among commands: [Command]) -> String {
    if name == "version" { return " (did you mean --version?)" }
    let meant = commands.first { $0.otherNames.contains(name) }
    return meant.map { " (did you mean \($0.name)?)" } ?? suggestion(for: name, among: commands.map(\.name))
  }

  /// Suggest the closest names, if any are close.
  static func suggestion(for name: String, among names: [String]) -> String {
    let distances = names.map { (name: $0, distance: distance(Substring($0), Substring(name))) }
    let nearest = distances.map(\.distance).min() ?? .max
    let near = nearest <= 2 ? distances.filter { $0.distance == nearest }.map(\.name) : []
    return near.isEmpty ? "" : " (did you mean " + near.joined(separator: " or ") + "?)"
  }

  /// Levenshtein distance.
  private static func distance(_ first: Substring, _ second: Substring) -> Int {
    var previous = Array(0...second.count)
    for (row, a) in first.enumerated() {
      var current = [row + 1]
      for (column, b) in second.enumerated() {
        let replaced = previous[column] + (a == b ? 0 : 1)
        current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[second.count]
  }
}

enum HelpCommand {
  static let command = Command(
    name: "help", abstract: "Explain a command", operands: "[COMMAND]", maximumOperands: 1,
    options: [Option(name: "man", help: "print the manual page, for man(1)")]
  ) { invocation, world in
    if invocation.has("man") {
      world.terminal.print(ManualPage.text(Agent.commands))
      return .success
    }
    guard let name = invocation.operands.first else {
      world.terminal.print(Help.overview(Agent.commands) + "\n\n" + Help.exitCodes)
      return .success
    }
    guard let command = Agent.commands.first(where: { $0.name == name }) else {
      throw UsageError("there is no command \(name)" + Help.suggestion(forCommand: name, among: Agent.commands))
    }
    world.terminal.print(Help.page(command, width: world.terminal.columns))
    return .success
  }
}

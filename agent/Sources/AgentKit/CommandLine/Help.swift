/// Help, made from the command table.
enum Help {
  static let purpose = "Measures this machine and uploads what it measured, so that it can be compared."

  static func overview(_ commands: [Command]) -> String {
    var table = TextTable(headings: ["", ""], alignments: [.left, .left])
    table.rows = commands.map { ["  " + $0.name, $0.abstract] }
    return """
      \(purpose)

      Usage: macmeter COMMAND [OPTIONS]

      \(table.lines().dropFirst().joined(separator: "\n"))

      `macmeter help COMMAND` says more. `macmeter --version` prints the version.
      """
  }

  static func page(_ command: Command) -> String {
    let words = ["macmeter", command.name, command.operands].filter { !$0.isEmpty }
    var usage = words.joined(separator: " ")
    if !command.options.isEmpty { usage += " [OPTIONS]" }
    var parts = [command.abstract + ".", "Usage: " + usage]
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    if !command.options.isEmpty {
      var table = TextTable(headings: ["", ""], alignments: [.left, .left])
      table.rows = command.options.map { option in
        ["  --" + [option.name, option.value].compactMap { $0 }.joined(separator: " "), option.help]
      }
      parts.append(table.lines().dropFirst().joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  static var exitCodes: String {
    var table = TextTable(headings: ["", ""], alignments: [.right, .left])
    table.rows = ExitCode.allCases.map { ["  \($0.rawValue)", $0.meaning] }
    return "Exit codes\n" + table.lines().dropFirst().joined(separator: "\n")
  }

  /// The nearest command's name, where one is near.
  static func suggestion(for name: String, among commands: [Command]) -> String {
    let near = commands.filter { distance($0.name, name) <= 2 }.map(\.name)
    return near.isEmpty ? "" : ", but there is " + near.joined(separator: " and ")
  }

  /// Levenshtein distance.
  private static func distance(_ first: String, _ second: String) -> Int {
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
    options: [Option(name: "man", help: "print the manual page, for man(1) to show")]
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
      throw UsageError("there is no command \(name)" + Help.suggestion(for: name, among: Agent.commands))
    }
    world.terminal.print(Help.page(command))
    return .success
  }
}

import Base
import Foundation

/// Completions for common shells, generated from the command table.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

  static func text(_ shell: String, _ commands: [Command]) -> String? {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    case "fish": fish(commands)
    default: nil
    }
  }

  /// The values an option allows, such as those of "day|week".
  private static func choices(_ option: Option) -> [String] {
    let words = option.value?.split(separator: "|").map(String.init) ?? []
    return words.count > 1 ? words : []
  }

  private static func bash(_ commands: [Command]) -> String {
    var cases: [String] = []
    for command in commands {
      let options = command.options.map { "--" + $0.name } + ["--help"]
      cases.append("    \(command.name)) words=\"\(options.joined(separator: " "))\" ;;")
    }
    var values: [String] = []
    for option in commands.flatMap(\.options) where !choices(option).isEmpty {
      values.append("    --\(option.name)) words=\"\(choices(option).joined(separator: " "))\" ;;")
    }
    return """
      # bash completion for macmeter; made by `macmeter completions bash`.
      _macmeter() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W "\(commands.map(\.name).joined(separator: " ")) --help --version" -- "$current")
          return
        fi
        case $previous in
      \(values.joined(separator: "\n"))
        esac
        if [ -z "$words" ] && [[ $current == -* ]]; then
          case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
          esac
        fi
        if [ -n "$words" ]; then
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
      }
      complete -o filenames -F _macmeter macmeter
      """
  }

  private static func zsh(_ commands: [Command]) -> String {
    let names = commands.map { "    '\($0.name):\(quoted($0.abstract))'" }
    let cases = commands.map { command in
      var specifications = command.options.map { option in
        let value = option.value.map { ":\(quoted($0)):" + zshValues(option) } ?? ""
        return "'\(option.repeats ? "*" : "")--\(option.name)[\(bracketed(option.help))]\(value)'"
      }
      if command.maximumOperands > 0 { specifications.append("'*:\(quoted(command.operands)):_files'") }
      return "    \(command.name)) _arguments \(specifications.joined(separator: " ")) ;;"
    }
    return """
      #compdef macmeter
      # zsh completion for macmeter; made by `macmeter completions zsh`.
      _macmeter() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [ "$funcstack[1]" = _macmeter ]; then _macmeter "$@"; else compdef _macmeter macmeter; fi
      """
  }

  private static func zshValues(_ option: Option) -> String {
    let choices = choices(option)
    if !choices.isEmpty { return "(\(choices.joined(separator: " ")))" }
    return option.value == "PATH" ? "_files" : ""
  }

  private static func fish(_ commands: [Command]) -> String {
    var lines = ["# fish completion for macmeter; made by `macmeter completions fish`."]
    for command in commands {
      lines.append("complete -c macmeter -n __fish_use_subcommand -f -a \(command.name) -d '\(fishQuoted(command.abstract))'")
    }
    for command in commands {
      for option in command.options {
        var words = "complete -c macmeter -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)"
        if option.value != nil { words += " -r" }
        let choices = choices(option)
        if !choices.isEmpty { words += " -f -a '\(choices.joined(separator: " "))'" }
        lines.append(words + " -d '\(fishQuoted(option.help))'")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Quote text for single quotes in a shell.
  private static func quoted(_ text: String) -> String {
    text.replacingOccurrences(of: "'", with: "'\\''").replacingOccurrences(of: ":", with: "\\:")
  }

  private static func bracketed(_ text: String) -> String {
    text.replacingOccurrences(of: "'", with: "'\\''").replacingOccurrences(of: "[", with: "\\[")
      .replacingOccurrences(of: "]", with: "\\]")
  }

  private static func fishQuoted(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
  }
}

enum CompletionsCommand {
  static let command = Command(
    name: "completions", abstract: "Print shell completions for macmeter",
    operands: Completions.shells.joined(separator: "|"), maximumOperands: 1,
    discussion: """
      For zsh, for example, save them in a directory of $fpath:
      macmeter completions zsh > ~/.zsh/completions/_macmeter
      """
  ) { invocation, world in
    guard let text = invocation.operands.first.flatMap({ Completions.text($0, Agent.commands) }) else {
      throw UsageError("`macmeter completions` takes one of \(Completions.shells.joined(separator: ", "))")
    }
    world.terminal.print(text)
    return .success
  }
}

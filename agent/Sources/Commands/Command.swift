import Base

/// One option of a command. An option with a `value` takes one.
struct Option: Sendable {
  let name: String
  var value: String?
  var repeats = false
  let help: String
}

/// One command: everything that parsing, help, manual page and completions need.
struct Command: Sendable {
  let name: String
  let abstract: String
  /// Synonyms, for people who don't know its name.
  var otherNames: [String] = []
  /// Operands after the options: "[PATH]".
  var operands: String = ""
  var maximumOperands = 0
  var options: [Option] = []
  var discussion: String = ""
  let run: @Sendable (Invocation, World) throws -> ExitCode

  static let json = Option(name: "json", help: "print the result as JSON; all other output goes to standard error")
}

/// A command line, parsed against its command's options.
struct Invocation: Sendable {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  init(_ arguments: [String], for command: Command) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("--") else {
        guard !argument.hasPrefix("-") || argument == "-" else {
          throw UsageError("`macmeter \(command.name)` has no option \(argument); options have long names, such as --json")
        }
        operands.append(argument)
        continue
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = command.options.first(where: { $0.name == name }) else {
        let near = Help.suggestion(for: "--" + name, among: command.options.map { "--" + $0.name })
        throw UsageError("`macmeter \(command.name)` has no option --\(name)\(near)")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError("--\(name) takes no value") }
        values[name, default: []].append("")
      } else if let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() {
        guard option.repeats || values[name] == nil else { throw UsageError("--\(name) was given twice") }
        guard !value.isEmpty else { throw UsageError("--\(name) is empty; it needs a value: --\(name) \(option.value ?? "")") }
        values[name, default: []].append(value)
      } else {
        throw UsageError("--\(name) needs a value: --\(name) \(option.value ?? "")")
      }
    }
    guard operands.count <= command.maximumOperands else {
      throw UsageError("`macmeter \(command.name)` takes no argument \(operands[command.maximumOperands]) here")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func text(_ name: String) -> String? { values[name]?.last }
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func seconds(_ name: String, upTo limit: Double) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), (0...limit).contains(number) else {
      throw UsageError("--\(name) takes seconds, from 0 to \(Int(limit))")
    }
    return number
  }

  /// A size (see ByteCount).
  func bytes(_ name: String) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let bytes = ByteCount.read(text) else {
      throw UsageError("--\(name) takes a size such as 64K, 1M or 20GB, up to 1000TB")
    }
    return bytes
  }
}

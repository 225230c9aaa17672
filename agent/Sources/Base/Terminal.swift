import Foundation

/// Output: results to standard output, everything else to standard error.
package struct Terminal: Sendable {
  /// Print a line of the result.
  package var print: @Sendable (String) -> Void
  /// Print a line for the user that isn't part of the result.
  package var say: @Sendable (String) -> Void
  /// Replace the last such line; used only if `isInteractive`.
  package var redraw: @Sendable (String) -> Void
  /// Ask the user; nil if nobody can answer. Throws on Ctrl-C.
  package var ask: @Sendable (String) throws -> String?
  /// Whether standard error is a terminal whose lines can be redrawn.
  package var isInteractive: Bool
  /// Whether results may be coloured.
  package var hasColour: Bool
  /// Width of the terminal that results go to; nil if they go elsewhere.
  package var columns: Int?

  package init(
    print: @escaping @Sendable (String) -> Void, say: @escaping @Sendable (String) -> Void,
    redraw: @escaping @Sendable (String) -> Void, ask: @escaping @Sendable (String) throws -> String?,
    isInteractive: Bool, hasColour: Bool, columns: Int? = nil
  ) {
    self.print = print
    self.say = say
    self.redraw = redraw
    self.ask = ask
    self.isInteractive = isInteractive
    self.hasColour = hasColour
    self.columns = columns
  }

  static func live(_ environment: [String: String], interrupted: @escaping @Sendable () -> Bool) -> Terminal {
    let capable = environment["TERM"].map { $0 != "dumb" } ?? false
    let plain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Terminal(
      print: { writeLine($0, to: .standardOutput) },
      say: { writeLine($0, to: .standardError) },
      redraw: { text in
        let line = widthOfTerminal(STDERR_FILENO).map { text.prefix($0 - 1) } ?? text[...]
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1b}[K\(line)".utf8))
      },
      ask: { question in
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        try? FileHandle.standardError.write(contentsOf: Data((question + " ").utf8))
        do {
          return try StandardInput.line(interrupted: interrupted)
        } catch {
          writeLine("", to: .standardError)
          throw error
        }
      },
      isInteractive: isatty(STDERR_FILENO) == 1 && capable,
      hasColour: isatty(STDOUT_FILENO) == 1 && capable && !plain,
      columns: environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 20 ? $0 : nil } ?? widthOfTerminal(STDOUT_FILENO)
    )
  }

  package func bold(_ text: String) -> String { hasColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  func faint(_ text: String) -> String { hasColour ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}

/// Width of the terminal: a longer line would wrap and couldn't be redrawn.
private func widthOfTerminal(_ descriptor: Int32) -> Int? {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
  return Int(size.ws_col)
}

private func writeLine(_ text: String, to handle: FileHandle) {
  try? handle.write(contentsOf: Data((text + "\n").utf8))
}

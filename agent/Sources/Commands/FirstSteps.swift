import Administration
import Base
import LocalState
import Measure

/// `macmeter` without a command: for somebody who has just installed it, the way to a first result.
enum FirstSteps {
  /// Connect this machine to a server and measure its storage, after asking.
  /// - Returns: nil if nothing is left to begin, no server is known, or nobody is there to ask.
  static func run(_ world: World) throws -> ExitCode? {
    let state = try StateDirectory.existing(world.environment)
    let enrolment = try state.flatMap(Enrolment.load)
    guard state.map({ Spool(state: $0).entries(Array(Spool.RunFate.allCases)).isEmpty }) ?? true,
      let server = try enrolment?.server ?? knownServer(world)
    else { return nil }
    let bytes = Figures.bytes(GradedFiles.quick.bytesPerSet * GradedFiles.quick.defaultSets)
    let steps = enrolment == nil ? "Connect this machine to \(server), then measure" : "Measure"
    let question = "\(steps) its storage, by writing and reading \(bytes)? [Y/n]"
    guard let answer = try world.terminal.ask(question) else { return nil }
    guard ["", "y", "yes"].contains(answer.lowercased()) else {
      world.terminal.say("Nothing was sent or measured. `macmeter help` lists the commands; `macmeter disk --quick --no-upload` keeps the result here.")
      return .success
    }
    if enrolment == nil {
      let outcome = try run(EnrollCommand.command, ["--server", server], world)
      guard outcome == .success else { return outcome }
    }
    return try run(DiskCommand.command, ["--quick", try StateDirectory(world.environment).path], world)
  }

  private static func run(_ command: Command, _ arguments: [String], _ world: World) throws -> ExitCode {
    try command.run(Invocation(arguments, for: command), world)
  }

  /// The server that the preferences name, or else the one that this program was installed from.
  private static func knownServer(_ world: World) throws -> String? {
    if let server = try Preferences.read(world).server { return server.text }
    guard case .script(let server, _) = try? Installation.find(world) else { return nil }
    return server.text
  }
}

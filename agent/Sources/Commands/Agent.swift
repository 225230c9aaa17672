import Base
import Document
import Machine

/// The command-line program.
package enum Agent {
  /// Every command, in the order of the help.
  static let commands: [Command] = [
    InfoCommand.command, PreviewCommand.command, DiskCommand.command, HashCommand.command,
    CompressCommand.command, CoresCommand.command, PowerCommand.command, WorkloadCommand.command,
    AllCommand.command, ImportCommand.command, RunsCommand.command, DoctorCommand.command,
    UploadCommand.command, EnrollCommand.command, ClaimCommand.command, ScheduleCommand.command, UpdateCommand.command,
    ForgetCommand.command, UninstallCommand.command, CompletionsCommand.command, HelpCommand.command,
  ]

  /// Run one command line to its end.
  package static func run(_ arguments: [String], in world: World) -> ExitCode {
    do {
      let replay = try Replay.asked(world.environment)
      return try dispatch(arguments, replay.map(world.replaying) ?? world)
    } catch let error as UsageError {
      let command = arguments.first.flatMap { name in commands.first { $0.name == name && name != "help" } }?.name
      let page = ["macmeter help", command].compactMap { $0 }.joined(separator: " ")
      world.terminal.say("macmeter: \(error). See `\(page)`.")
      return .usage
    } catch is Interrupted {
      world.terminal.say("Stopped.")
      return .interrupted
    } catch {
      world.terminal.say("macmeter: \(error)")
      return .failure
    }
  }

  private static func dispatch(_ arguments: [String], _ world: World) throws -> ExitCode {
    guard let name = arguments.first else {
      if let outcome = try FirstSteps.run(world) { return outcome }
      world.terminal.print(Help.overview(commands))
      return .usage
    }
    switch name {
    case "--version":
      world.terminal.print(([Program.version] + [Program.commit.map { "(\($0))" }].compactMap { $0 }).joined(separator: " "))
      return .success
    case "-h", "--help":
      world.terminal.print(Help.overview(commands))
      return .success
    default: break
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError("there is no command \(name)" + Help.suggestion(forCommand: name, among: commands))
    }
    let rest = Array(arguments.dropFirst())
    let own = rest.prefix { $0 != "--" }  // what follows belongs to another program
    if own.contains("--help") || own.contains("-h") {
      world.terminal.print(Help.page(command, width: world.terminal.columns))
      return .success
    }
    return try command.run(Invocation(rest, for: command), world)
  }
}

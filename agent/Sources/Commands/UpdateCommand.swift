import Administration
import Base
import Document
import Foundation
import LocalState
import Upload

enum UpdateCommand {
  static let command = Command(
    name: "update", abstract: "Replace this program with the newest version",
    otherNames: ["upgrade", "self-update"],
    options: [
      Option(name: "check", help: "only say whether there is a newer version"),
      Option(name: "yes", help: "update without asking"),
    ],
    discussion: """
      Asks the server that this program was installed from. Its install.sh then downloads the newer version,
      checks it as at first, and replaces this program only if all checks pass. Homebrew and the installer
      package update what they installed: then this says how.

      Nothing is ever updated by itself: no schedule runs this command.
      """
  ) { invocation, world in
    let terminal = world.terminal
    switch try Installation.find(world) {
    case .script(let address, let prefix):
      return try update(prefix, from: Server(address: address, token: "", world: world), invocation, world)
    case .homebrew:
      terminal.say("Homebrew installed this program. To update it, run `brew upgrade macmeter`.")
    case .package:
      let package = enrolledServer(world).flatMap { try? $0.agentOffer().package }
      terminal.say("The installer package put this program on this Mac. To update it, install the newer package"
        + (package.map { ": \($0)" } ?? ", or ask whoever manages this Mac."))
    case .other(let program):
      let server = enrolledServer(world)
      // A server that can't be asked may offer it; one that says otherwise doesn't.
      let offersNone = server.flatMap { try? $0.agentOffer() }.map { !$0.canInstall } ?? false
      let name = server?.address.text ?? "SERVER"
      terminal.say("No server's install.sh installed \(program), so this can't update it. Build it again from the newer source"
        + (offersNone ? ": \(name) offers no agent." : ", or replace it: curl -fsSL \(name)/install.sh | sh"))
    }
    return .notPossibleHere
  }

  private static func update(
    _ prefix: String, from server: Server, _ invocation: Invocation, _ world: World
  ) throws -> ExitCode {
    let terminal = world.terminal
    let offer = try server.agentOffer()
    let name = server.address.text
    guard offer.canInstall else {
      terminal.say("macmeter: \(name) doesn't offer the agent any more, so this stays \(Program.version). Ask whoever runs it, or install from another server's page Measure your Mac.")
      return .notPossibleHere
    }
    switch offer.version.compare(Program.version, options: .numeric) {
    case .orderedSame:
      terminal.say("This is macmeter \(Program.version), the newest version that \(name) offers.")
      return .success
    case .orderedAscending:
      terminal.say("This is macmeter \(Program.version). \(name) offers \(offer.version), which is older: nothing to update.")
      return .success
    case .orderedDescending: break
    }
    terminal.say("This is macmeter \(Program.version). \(name) offers \(offer.version).")
    if invocation.has("check") {
      terminal.say("To update, run `macmeter update`.")
      return .success
    }
    guard access(prefix + "/bin", W_OK) == 0 else {
      // As root, the update would leave files of root's in a folder of the account's own.
      let isOwn = world.environment["HOME"].map { prefix.hasPrefix($0 + "/") } ?? false
      terminal.say("macmeter: there is no permission to write to \(prefix)/bin. "
        + (isOwn ? "Make it yours (`sudo chown -R \"$(id -un)\" '\(prefix)/bin'`), then update." : "Run `sudo macmeter update`."))
      return .notPossibleHere
    }
    guard try confirmed(invocation, terminal) else { return .failure }
    let state = try StateDirectory.existing(world.environment)
    guard state.map({ FileLock($0.path("measuring.lock")) != nil }) ?? true else {
      terminal.say("macmeter: a run is being measured. Update when it has finished.")
      return .alreadyRunning
    }
    // The script speaks to the terminal itself, can be stopped by Ctrl-C, and ends with its own code.
    world.become(["/bin/sh", "-c", try server.installScript(), "install.sh", "--prefix", prefix])
    terminal.say("macmeter: /bin/sh can't be started. Nothing was changed.")
    return .failure
  }

  private static func confirmed(_ invocation: Invocation, _ terminal: Terminal) throws -> Bool {
    if invocation.has("yes") { return true }
    guard let answer = try terminal.ask("Update now? [Y/n]") else {
      terminal.say("macmeter: there is no terminal to ask on; add --yes to update.")
      return false
    }
    if ["", "y", "yes"].contains(answer.lowercased()) { return true }
    terminal.say("Nothing was changed.")
    return false
  }

  private static func enrolledServer(_ world: World) -> Server? {
    guard let state = try? StateDirectory.existing(world.environment), let enrolment = try? Enrolment.load(state),
      let address = ServerAddress(enrolment.server)
    else { return nil }
    return Server(address: address, token: "", world: world)
  }
}

import Base
import Document

extension MachineFacts {
  /// Read this system's facts.
  package static func read(_ world: World) -> MachineFacts {
    var facts = world.system == .macOS ? MacFacts.read(world) : LinuxFacts.read(world)
    facts.isSimulated = world.isSimulated
    if !world.isSimulated { facts.platform = world.system.rawValue + "-" + architecture }
    return facts
  }

  /// Identifiers, by name, that a copy of this machine's disk doesn't share, as far as this user
  /// may read them. Never sent: the agent's state is sealed with their digests.
  package static func ownIdentifiers(_ world: World) -> [String: String] {
    world.system == .macOS ? MacFacts.ownIdentifiers(world) : LinuxFacts.ownIdentifiers(world)
  }

  /// The current power source: "ac", "battery", "ups", or nil if the system doesn't say.
  package static func powerSource(_ world: World) -> String? {
    world.system == .macOS ? MacFacts.powerSource(world) : LinuxFacts.powerSource(world)
  }

  private static var architecture: String {
    #if arch(arm64)
      "arm64"
    #else
      "x86_64"
    #endif
  }
}

/// What the agent knows about this machine before a run: everything a document says about it but
/// its id, and what must never leave it.
public struct MachineFacts: Equatable, Sendable {
  public var model: String?
  public var modelName: String?
  public var chip: String?
  public var gpuCores: Int?
  public var memoryBytes: Int?
  public var coreTiers: [CoreTier]?
  public var environment = EnvironmentRecord()
  /// Shares of all cores kept busy over the last minute; nil where unknown.
  public var load: Double?
  /// What macOS limits itself to now, in words; nil where nothing is known to be limited.
  public var limits: String?
  /// What the agent runs on: "macos-arm64".
  public var platform: String?
  /// Whether these are a replayed Mac's facts.
  public var isSimulated = false

  public func record(id: String) -> MachineRecord {
    MachineRecord(
      id: id, model: model, modelName: modelName, chip: chip, gpuCores: gpuCores,
      memoryBytes: memoryBytes, coreTiers: coreTiers)
  }

  /// Asks this system.
  public static func read(_ world: World) -> MachineFacts {
    var facts = world.system == .macOS ? MacFacts.read(world) : LinuxFacts.read(world)
    facts.isSimulated = world.isSimulated
    if !world.isSimulated { facts.platform = world.system.rawValue + "-" + architecture }
    return facts
  }

  /// Identifiers that a copy of this machine's disk does not share, by their names; those this user
  /// may read. Never sent: the agent's state is sealed with their digests.
  public static func ownIdentifiers(_ world: World) -> [String: String] {
    world.system == .macOS ? MacFacts.ownIdentifiers(world) : LinuxFacts.ownIdentifiers(world)
  }

  /// Where power comes from now: "ac", "battery", "ups", or nil where the system does not say.
  public static func powerSource(_ world: World) -> String? {
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

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

  public func record(id: String) -> MachineRecord {
    MachineRecord(
      id: id, model: model, modelName: modelName, chip: chip, gpuCores: gpuCores,
      memoryBytes: memoryBytes, coreTiers: coreTiers)
  }

  /// Asks this system.
  public static func read(_ world: World) -> MachineFacts {
    #if canImport(Darwin)
      MacFacts.read(world)
    #else
      LinuxFacts.read(world)
    #endif
  }

  /// Identifiers that a copy of this machine's disk does not share, by their names; those this user
  /// may read. Never sent: the agent's state is sealed with their digests.
  public static func ownIdentifiers(_ world: World) -> [String: String] {
    #if canImport(Darwin)
      MacFacts.ownIdentifiers(world)
    #else
      LinuxFacts.ownIdentifiers(world)
    #endif
  }

  /// Where power comes from now: "ac", "battery", or nil where the system does not say.
  public static func powerSource(_ world: World) -> String? {
    #if canImport(Darwin)
      MacFacts.powerSource(world.run("pmset", ["-g", "batt"], nil)?.text ?? "")
    #else
      LinuxFacts.powerSource(world)
    #endif
  }

  public static var platform: String {
    #if canImport(Darwin)
      let system = "macos"
    #else
      let system = "linux"
    #endif
    #if arch(arm64)
      return system + "-arm64"
    #else
      return system + "-x86_64"
    #endif
  }
}

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

  /// Which program tells them.
  var agent: AgentRecord {
    AgentRecord(version: Program.version, commit: Program.commit, platform: platform)
  }
}

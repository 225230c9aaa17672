/// What the agent knows about this machine before a run: everything a document says about it but
/// its id, and what must never leave it.
package struct MachineFacts: Equatable, Sendable {
  package var model: String?
  package var modelName: String?
  package var chip: String?
  package var gpuCores: Int?
  package var memoryBytes: Int?
  package var coreTiers: [CoreTier]?
  package var environment = EnvironmentRecord()
  /// Shares of all cores kept busy over the last minute; nil where unknown.
  package var load: Double?
  /// What macOS limits itself to now, in words; nil where nothing is known to be limited.
  package var limits: String?
  /// What the agent runs on: "macos-arm64".
  package var platform: String?
  /// Whether these are a replayed Mac's facts.
  package var isSimulated = false

  package init(
    model: String? = nil, modelName: String? = nil, chip: String? = nil, gpuCores: Int? = nil,
    memoryBytes: Int? = nil, coreTiers: [CoreTier]? = nil, environment: EnvironmentRecord = EnvironmentRecord(),
    load: Double? = nil, limits: String? = nil, platform: String? = nil, isSimulated: Bool = false
  ) {
    self.model = model
    self.modelName = modelName
    self.chip = chip
    self.gpuCores = gpuCores
    self.memoryBytes = memoryBytes
    self.coreTiers = coreTiers
    self.environment = environment
    self.load = load
    self.limits = limits
    self.platform = platform
    self.isSimulated = isSimulated
  }

  package func record(id: String) -> MachineRecord {
    MachineRecord(
      id: id, model: model, modelName: modelName, chip: chip, gpuCores: gpuCores,
      memoryBytes: memoryBytes, coreTiers: coreTiers)
  }

  /// Which program tells them.
  package var agent: AgentRecord {
    AgentRecord(version: Program.version, commit: Program.commit, platform: platform)
  }
}

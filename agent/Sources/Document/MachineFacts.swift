/// What the agent knows about this machine before a run: everything a document says about it but
/// its id, and what must never leave it. What the record of a machine states is read and set here by its own
/// name, as `facts.chip`.
@dynamicMemberLookup
package struct MachineFacts: Equatable, Sendable {
  /// Its id is unknown until a document is written.
  private var machine = MachineRecord(id: "")
  package var environment = EnvironmentRecord()
  /// Shares of all cores kept busy over the last minute; nil where unknown.
  package var load: Double?
  /// What macOS limits itself to now, in words; nil where nothing is known to be limited.
  package var limits: String?
  /// What the agent runs on: "macos-arm64".
  package var platform: String?
  /// Whether these are a replayed Mac's facts.
  package var isSimulated = false

  package init(platform: String? = nil) { self.platform = platform }

  package subscript<Fact>(dynamicMember fact: WritableKeyPath<MachineRecord, Fact>) -> Fact {
    get { machine[keyPath: fact] }
    set { machine[keyPath: fact] = newValue }
  }

  package func record(id: String) -> MachineRecord {
    var record = machine
    record.id = id
    return record
  }

  /// Which program tells them.
  package var agent: AgentRecord {
    AgentRecord(version: Program.version, commit: Program.commit, platform: platform)
  }
}

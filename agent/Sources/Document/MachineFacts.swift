/// Facts about this machine before a run: everything a document records about it except its id,
/// plus its load and limits. Fields of the machine's record are available under their own names, as
/// in `facts.chip`.
@dynamicMemberLookup
package struct MachineFacts: Equatable, Sendable {
  /// The id is unknown until a document is written.
  private var machine = MachineRecord(id: "")
  package var environment = EnvironmentRecord()
  /// Share of all cores busy over the last minute; nil if unknown.
  package var load: Double?
  /// Limits that macOS currently imposes on itself, in words; nil if none are known.
  package var limits: String?
  /// The agent's platform: "macos-arm64".
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

  /// The program that reports these facts.
  package var agent: AgentRecord {
    AgentRecord(version: Program.version, commit: Program.commit, platform: platform)
  }
}

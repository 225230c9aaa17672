/// What speaks against a run for the sake of the owner's drive and data.
enum Care {
  /// A reason not to measure.
  struct Objection {
    let code: ExitCode
    /// Why, and what to do.
    let sentence: String
    /// The option with which the owner measures all the same; nil where nobody may.
    let allowedBy: String?
    /// What the run's document then says.
    let warning: Warning?
  }

  /// The options that overrule an objection.
  static let options = [
    Option(name: "allow-low-space", help: "measure even if little free space would be left")
  ]

  /// The most urgent first.
  static func objections(
    to planned: [PlannedRun], _ targets: [String: TargetRecord], _ facts: MachineFacts, _ session: Session
  ) -> [Objection] {
    planned.flatMap { run in run.paths.compactMap { targets[$0] }.compactMap { shortage(run, $0) } }
  }

  private static func shortage(_ run: PlannedRun, _ target: TargetRecord) -> Objection? {
    guard run.bytesNeeded > 0, let capacity = target.capacityBytes, let free = target.freeBytes else {
      return nil
    }
    let space = VolumeSpace(capacity: capacity, free: free)
    guard !space.hasRoom(for: run.bytesNeeded) else { return nil }
    let shortage = "\(Figures.bytes(free)) are free; after \(Figures.bytes(run.bytesNeeded)) for "
      + "\(run.title) \(Figures.bytes(space.reserve)) should be left"
    return Objection(
      code: .spaceShort, sentence: "\(shortage). Free some, write less, or use --allow-low-space.",
      allowedBy: "allow-low-space", warning: Warning(.lowSpaceAllowed, shortage))
  }
}

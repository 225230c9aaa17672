enum DiskCommand {
  static let command = Command(
    name: "disk", abstract: "Measure how fast a directory's storage writes and reads",
    operands: "[PATH]", maximumOperands: 1,
    options: DiskRequest.planOptions + [
      Option(name: "strict", help: "refuse to measure under doubtful conditions"),
      Option(name: "allow-low-space", help: "measure even if little free space would be left"),
      Option(name: "discard-incomplete", help: "keep nothing of a run that was stopped"),
      Option(name: "no-upload", help: "keep the run for a later `macmeter upload`"),
      Command.json,
    ],
    discussion: """
      Writes files of graded sizes in PATH (the present directory unless told), empties the cache,
      checks that it is empty, reads them back and removes them. Data goes past the cache; what it
      cannot go past is said. Nothing in PATH but the agent's own test directory is touched.
      """
  ) { invocation, world in
    let request = try DiskRequest(invocation, world)
    let session = try Session(world)
    session.removeLeftovers()
    TestDirectory.removeLeftovers(in: request.path, world: world)
    let facts = MachineFacts.read(world)
    let target = Target.probe(
      request.path, facts: facts, deviceKey: session.identity.keyBytes, world: world)
    var warnings = Preflight.warnings(facts, target: target)
    DiskReport.warningLines(warnings).forEach(world.terminal.say)
    if invocation.has("strict"), let doubtful = strictObjection(warnings) {
      world.terminal.say("macmeter: not measured, as --strict asks: \(doubtful)")
      return .doubtfulConditions
    }
    DiskReport.announce(request, target, world.terminal)
    if let shortage = DiskReport.shortage(request, target) {
      guard invocation.has("allow-low-space") else {
        world.terminal.say("macmeter: \(shortage). Free some, choose fewer --sets, or use --allow-low-space.")
        return .spaceShort
      }
      warnings.append(Warning(.lowSpaceAllowed, shortage))
    }
    guard let machineLock = FileLock(session.state.path("measuring.lock")),
      let targetLock = FileLock(request.path)
    else {
      world.terminal.say("macmeter: another macmeter is measuring here; two at once would slow each other down.")
      return .alreadyRunning
    }
    return try withExtendedLifetime((machineLock, targetLock)) {
      try measure(request, invocation, session, facts, warnings)
    }
  }

  /// In a virtual machine the host's cache is always unknown: that alone does not stop a strict run.
  private static func strictObjection(_ warnings: [Warning]) -> String? {
    let doubtful = warnings.map(\.code).filter { $0 != .hostCacheUnknown }
    return doubtful.isEmpty ? nil : doubtful.map(\.rawValue).joined(separator: ", ")
  }

  /// One run, or one an image; then the upload.
  private static func measure(
    _ request: DiskRequest, _ invocation: Invocation, _ session: Session, _ facts: MachineFacts,
    _ warnings: [Warning]
  ) throws -> ExitCode {
    let images: [ImageRequest?] = request.images.isEmpty ? [nil] : request.images
    var kept: [String] = []
    for image in images {
      let progress = Progress(phases: 2, world: session.world)
      let run = DiskRun(
        plan: request.plan, path: request.path, image: image, facts: facts, labels: request.labels,
        preflight: warnings, session: session, progress: progress)
      let result = try run.perform()
      if try keep(result, invocation, session, said: warnings) { kept.append(result.document.id) }
      switch result.outcome.ending {
      case .complete: break
      case .interrupted: return .interrupted
      case .failed(let why):
        session.world.terminal.say("macmeter: \(why)")
        return .failure
      }
    }
    guard !invocation.has("no-upload") else {
      session.world.terminal.say("Kept, not uploaded: `macmeter upload` sends it.")
      return .success
    }
    guard session.enrolment != nil else {
      session.world.terminal.say(
        "Kept, not uploaded: no server is known. `macmeter enroll`, then `macmeter upload`.")
      return .success
    }
    return try UploadCommand.upload(session, highlight: kept)
  }

  /// Spools a run and shows it. A run of which nothing was measured is not kept.
  private static func keep(
    _ result: DiskRun.Result, _ invocation: Invocation, _ session: Session, said: [Warning]
  ) throws -> Bool {
    let terminal = session.world.terminal
    let complete = result.outcome.ending == .complete
    guard !result.document.series.isEmpty, complete || !invocation.has("discard-incomplete") else {
      terminal.say("Stopped before anything was kept; test files are removed.")
      return false
    }
    let bytes = try result.document.encoded()
    try session.spool.add(bytes, id: result.document.id)
    if !complete {
      terminal.say("Test files are removed. What was measured is kept as an incomplete run: \(result.document.id)")
    }
    if invocation.has("json") {
      terminal.print(String(decoding: bytes, as: UTF8.self))
    } else {
      DiskReport.lines(result, said: said, terminal).forEach(terminal.print)
    }
    return true
  }
}

/// One run of the disk suite from its id to its document: the test directory, the image where one is
/// asked for, the measurement, and the cleaning up.
struct DiskRun {
  let plan: DiskPlan
  /// The directory under test; with an image, where the image's file lies.
  let path: String
  let image: ImageRequest?
  let facts: MachineFacts
  let labels: [String: String]?
  /// Warnings found before the run.
  let preflight: [Warning]
  let session: Session
  let progress: Progress

  private var world: World { session.world }

  struct Result {
    var document: RunDocument
    var outcome: DiskOutcome
  }

  func perform() throws -> Result {
    let started = world.wallClock()
    let startedMonotonic = world.monotonic()
    let id = RunIdentifier.make(at: started, random: world.randomBytes(10))
    let scratch = Scratch(state: session.state)
    try scratch.register(Self.testDirectory(in: path, id: id), id: id)
    defer { scratch.forget(id) }
    let directory = try TestDirectory(in: path, id: id)
    defer { directory.remove() }
    let mounted = try image.map { try DiskImage($0, in: directory, world: world) }
    defer { mounted?.detach() }

    let target = probe(mounted)
    let measurement = DiskMeasurement(
      plan: plan, directory: mounted?.mountPoint ?? directory.path, image: mounted, world: world,
      progress: progress)
    var outcome = measurement.run()
    // These take direct transfers and keep everything in memory all the same.
    if ["tmpfs", "ramfs"].contains(target.fileSystem) { outcome.bypassedCache = false }

    var document = Self.skeleton(
      id: id, plan: plan, facts: facts, session: session, target: target, labels: labels)
    document.state = outcome.ending == .complete ? .complete : .incomplete
    document.startedAt = Timestamp(started)
    // A clock that was set back during the run must not make it end before it began.
    let finished = max(started, world.wallClock())
    document.finishedAt = Timestamp(finished)
    document.method.parameters?["cache"] = .text(outcome.cache.rawValue)
    document.method.parameters?["direct"] = .boolean(outcome.bypassedCache)
    document.series = DiskSeries.make(from: outcome, plan: plan)
    var warnings = preflight + Self.warnings(outcome)
    let awake = Double(world.monotonic() - startedMonotonic) / 1e9
    if finished.timeIntervalSince(started) - awake > 5 { warnings.append(Warning(.slept)) }
    let power = MachineFacts.powerSource(world)
    if power != facts.environment.powerSource { warnings.append(Warning(.powerSourceChanged)) }
    document.warnings = warnings.isEmpty ? nil : warnings
    return Result(document: document, outcome: outcome)
  }

  /// A document that says everything but what was measured and when.
  static func skeleton(
    id: String, plan: DiskPlan, facts: MachineFacts, session: Session, target: TargetRecord,
    labels: [String: String]?
  ) -> RunDocument {
    RunDocument(
      id: id, suite: "disk", source: "measured", state: .complete,
      method: Method(
        name: plan.method.name, version: GradedFiles.version,
        parameters: [
          "sets": .integer(plan.sets), "seed": .integer(plan.seed),
          "block_size": .integer(plan.blockSize), "rest": .number(plan.rest),
        ]),
      agent: Agent.record, machine: facts.record(id: session.identity.machineID),
      environment: facts.environment, target: target, labels: labels, series: [])
  }

  private static func testDirectory(in path: String, id: String) -> String {
    path + (path.hasSuffix("/") ? "" : "/") + TestDirectory.prefix + id
  }

  /// What the run is measured on; of an image that we made we know more than the system tells.
  private func probe(_ mounted: DiskImage?) -> TargetRecord {
    let key = session.identity.keyBytes
    let host = Target.probe(path, facts: facts, deviceKey: key, world: world)
    guard let mounted else { return host }
    var target = Target.probe(mounted.mountPoint, facts: facts, deviceKey: key, world: world)
    target.storage = .diskImage
    target.linkSpeed = nil
    target.device = nil
    target.deviceID = nil
    target.encryption = mounted.request.encryption
    target.image = ImageRecord(
      format: mounted.request.format, state: .new, capacityBytes: mounted.request.capacity,
      host: ImageHost(host))
    return target
  }

  private static func warnings(_ outcome: DiskOutcome) -> [Warning] {
    var warnings: [Warning] = []
    if !outcome.bypassedCache { warnings.append(Warning(.cacheNotBypassed)) }
    if let detail = outcome.residencyDetail { warnings.append(Warning(.readsMayBeCached, detail)) }
    if outcome.writes.contains(where: { $0.flush == nil }) { warnings.append(Warning(.flushFailed)) }
    return warnings
  }
}

extension DiskOutcome {
  /// Which files, and how much of all, were in memory when reading began; nil where that is within
  /// what is tolerated.
  var residencyDetail: String? {
    let doubted = residency.count { $0.share > Residency.tolerated }
    guard doubted > 0 else { return nil }
    let pages = residency.map(\.pages).reduce(0, +)
    let resident = residency.map(\.residentPages).reduce(0, +)
    let share = Figures.fixed(Double(resident) * 100 / Double(max(1, pages)), 1)
    return "\(doubted) of \(residency.count) files, \(share)% of all their pages in memory"
  }
}

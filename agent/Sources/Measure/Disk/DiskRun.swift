import Base
import Document
import LocalState
import Machine

/// One run of graded files from start to document: the test directory, the image if requested, the
/// measurement, and the clean-up.
package struct DiskRun {
  package let plan: DiskPlan
  /// The directory under test; with an image, the directory of the image's file.
  package let path: String
  package let image: ImageRequest?
  /// The target of `path`.
  package let target: TargetRecord
  package let frame: RunFrame
  /// Locks on directories of the target.
  package let locks: [FileLock]
  /// Whether an external volume may be unmounted between writing and reading.
  package let remounts: Bool
  package let progress: ProgressLine

  package init(
    plan: DiskPlan, path: String, image: ImageRequest?, target: TargetRecord, frame: RunFrame,
    locks: [FileLock], remounts: Bool, progress: ProgressLine
  ) {
    self.plan = plan
    self.path = path
    self.image = image
    self.target = target
    self.frame = frame
    self.locks = locks
    self.remounts = remounts
    self.progress = progress
  }

  private var world: World { frame.session.world }

  package struct Result {
    package var document: RunDocument
    package var outcome: DiskOutcome

    package init(document: RunDocument, outcome: DiskOutcome) {
      self.document = document
      self.outcome = outcome
    }
  }

  package func perform() throws -> Result {
    try frame.inTestDirectory(of: path) { directory in
      let mounted = try image.map { try DiskImage($0, in: directory, world: world) }
      defer { mounted?.detach() }
      try mounted?.reachState(seed: plan.seed, progress)
      return measure(directory, mounted)
    }
  }

  private func measure(_ directory: TestDirectory, _ mounted: DiskImage?) -> Result {
    let measured = mounted.map(imageTarget) ?? target
    let measurement = DiskMeasurement(
      plan: plan, directory: mounted?.mountPoint ?? directory.path, image: mounted,
      volume: mounted == nil ? volume(directory) : nil,
      cache: StorageCache(image: mounted?.file ?? measured.imageFile?.path), world: world, progress: progress)
    var outcome = measurement.run()
    if measured.cachesAllTheSame { outcome.bypassedCache = false }
    var method = Self.method(plan)
    method.parameters?["cache"] = .text(outcome.cache.rawValue)
    method.parameters?["remount"] = outcome.remounting.map { .text($0.rawValue) }
    method.parameters?["direct"] = .boolean(outcome.bypassedCache)
    if let request = mounted?.request, request.fill > 0 {
      method.parameters?["image_fill"] = .integer(request.fill)
    }
    let document = frame.document(
      RunContent(suite: "disk", method: method, target: measured, series: DiskSeries.make(from: outcome, plan: plan)),
      ending: outcome.ending, warnings: Self.warnings(outcome))
    return Result(document: document, outcome: outcome)
  }

  private func volume(_ directory: TestDirectory) -> VolumeUnderTest? {
    let state = frame.session.state
    guard remounts, let volume = RemountableVolume.holding(directory.path, target, state: state.path, world: world)
    else { return nil }
    return VolumeUnderTest(
      volume: volume, directory: directory, locks: locks, scratch: Scratch(state: state), id: frame.id, world: world)
  }

  private static func method(_ plan: DiskPlan) -> MethodRecord {
    MethodRecord(
      name: plan.method.name, version: plan.method.version,
      parameters: [
        "sets": .integer(plan.sets), "seed": .integer(plan.seed),
        "block_size": .integer(plan.blockSize), "rest": .number(plan.rest),
      ])
  }

  /// A document without results and times.
  package static func skeleton(
    of frame: RunFrame, plan: DiskPlan, target: TargetRecord
  ) -> RunDocument {
    RunDocument(
      id: frame.id, suite: "disk", source: "measured", state: .complete,
      simulated: frame.facts.isSimulated ? true : nil, method: method(plan),
      agent: frame.facts.agent, machine: frame.facts.record(id: frame.session.identity.machineID),
      environment: frame.facts.environment, target: target, labels: frame.labels, series: [])
  }

  /// The image's target, with what is known from creating it.
  private func imageTarget(_ mounted: DiskImage) -> TargetRecord {
    var measured = Target.probe(
      mounted.mountPoint, facts: frame.facts, deviceKey: frame.session.identity.keyBytes, world: world)
    measured.storage = .diskImage
    measured.linkSpeed = nil
    measured.device = nil
    measured.deviceID = nil
    measured.encryption = mounted.request.encryption
    measured.image = ImageRecord(
      format: mounted.request.format, state: mounted.request.state,
      capacityBytes: mounted.request.capacity, host: ImageHost(target))
    return measured
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
  /// Which files, and how much of all, were in memory when reading began; nil if within tolerance.
  var residencyDetail: String? {
    let files = residency.filter { !$0.isOfImage }
    let doubted = files.count { $0.share > Residency.tolerated }
    var details: [String] = []
    if doubted > 0 {
      let share = Double(files.map(\.residentPages).reduce(0, +)) * 100 / Double(max(1, files.map(\.pages).reduce(0, +)))
      details.append("\(doubted) of \(files.count) files, \(Figures.fixed(share, 1))% of all their pages in memory")
    }
    if residency.contains(where: { $0.isOfImage && $0.share > Residency.tolerated }) {
      details.append("parts of the disk image that holds the files are in memory")
    }
    return details.isEmpty ? nil : details.joined(separator: "; ")
  }
}

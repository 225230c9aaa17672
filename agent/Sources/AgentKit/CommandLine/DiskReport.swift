/// A disk run in words and columns.
enum DiskReport {
  static func announce(_ request: DiskRequest, _ target: TargetRecord, _ terminal: Terminal) {
    let plan = request.plan
    let runs = max(1, request.images.count)
    let each = runs > 1 ? ", for each of \(runs) images" : ""
    let place = request.images.isEmpty ? request.path : "a new disk image in \(request.path)"
    let sets = plan.sets == 1 ? "1 set" : "\(plan.sets) sets"
    terminal.say(
      "Writes \(Figures.bytes(plan.bytes)) in \(plan.files.count) files (\(sets)) to \(place), "
        + "reads them back, removes them\(each).")
    terminal.say("Storage: \(targetLine(target)). Seed \(plan.seed).")
  }

  /// In words, if the run would leave less free space than it should.
  static func shortage(_ request: DiskRequest, _ target: TargetRecord) -> String? {
    guard let capacity = target.capacityBytes, let free = target.freeBytes else { return nil }
    let space = VolumeSpace(capacity: capacity, free: free)
    let needed = request.images.map(\.capacity).max() ?? request.plan.bytes
    guard !space.hasRoom(for: needed) else { return nil }
    return "\(Figures.bytes(free)) are free; after \(Figures.bytes(needed)) for this run "
      + "\(Figures.bytes(space.reserve)) should be left"
  }

  static func targetLine(_ target: TargetRecord) -> String {
    var parts = [target.storage.rawValue]
    if let image = target.image {
      parts = ["\(image.format) disk image on \(image.host?.storage.rawValue ?? "unknown storage")"]
    }
    if let speed = target.linkSpeed { parts.append("\(Figures.significant(speed / 1e9, 3)) Gb/s link") }
    if let device = target.device { parts.append(device) }
    if let encryption = target.encryption { parts.append("encryption \(encryption)") }
    if let fileSystem = target.fileSystem { parts.append(fileSystem) }
    return parts.joined(separator: ", ").replacingOccurrences(of: "_", with: " ")
  }

  /// The whole result. Warnings that were said before the run are not explained a second time.
  static func lines(_ result: DiskRun.Result, said: [Warning], _ terminal: Terminal) -> [String] {
    let document = result.document
    let title = [document.machine.modelName ?? document.machine.model, document.machine.chip,
      document.environment?.osVersion].compactMap { $0 }.joined(separator: " · ")
    var lines = ["", terminal.bold(title)]
    if let target = document.target { lines.append(targetLine(target)) }
    lines += [""] + sizeTable(document) + [""] + averageTable(document) + fitLines(result)
    lines += warningLines(result.document.warnings ?? [], said: said, emphasis: terminal.bold)
    return lines + [""]
  }

  /// Median speeds by file size, and a sparkline of each.
  private static func sizeTable(_ document: RunDocument) -> [String] {
    let writes = medians(document, .diskWriteSpeed)
    let reads = medians(document, .diskReadSpeed)
    var table = TextTable(
      headings: ["File size", "Write GB/s", "Read GB/s", "n"],
      alignments: [.right, .decimal, .decimal, .right])
    let sizes = Set(writes.keys).union(reads.keys).sorted()
    for size in sizes {
      let count = max(writes[size]?.count ?? 0, reads[size]?.count ?? 0)
      table.rows.append([
        Figures.bytes(size), cell(writes[size]?.median), cell(reads[size]?.median), "\(count)",
      ])
    }
    return table.lines() + [
      "",
      "Write \(Figures.sparkline(sizes.map { writes[$0]?.median }))   "
        + "Read \(Figures.sparkline(sizes.map { reads[$0]?.median }))   by file size, from zero",
    ]
  }

  private static func averageTable(_ document: RunDocument) -> [String] {
    func values(_ metric: Metric) -> [Double] {
      document.series.first { $0.metric == metric }?.values ?? []
    }
    let writes = values(.diskWriteAverage)
    let reads = values(.diskReadAverage)
    let sets = max(writes.count, reads.count)
    guard sets > 0 else { return ["No set is complete: no averages."] }
    var table = TextTable(
      headings: ["Whole sets", "Write GB/s", "Read GB/s", "n"],
      alignments: [.left, .decimal, .decimal, .right])
    table.rows = [
      [sets > 1 ? "Average, median of sets" : "Average", cell(Robust.median(writes)), cell(Robust.median(reads)), "\(sets)"],
      ["With flush to the device", cell(Robust.median(values(.diskWriteFlushedAverage))), "", "\(sets)"],
    ]
    let all = { (metric: Metric) in document.series.filter { $0.metric == metric }.flatMap(\.values) }
    let files = all(.diskWriteSpeed)
    table.rows.append([
      "Files, 20% trimmed mean", cell(Robust.trimmedMean(files)),
      cell(Robust.trimmedMean(all(.diskReadSpeed))), "\(files.count)",
    ])
    return table.lines()
  }

  /// Time against size: the slope is the rate once a transfer runs, the intercept what it takes to
  /// start one.
  private static func fitLines(_ result: DiskRun.Result) -> [String] {
    let fits = [("write", result.outcome.writes), ("read", result.outcome.reads)].compactMap { name, timings in
      fit(timings).map { "\(name) \($0)" }
    }
    return fits.isEmpty ? [] : ["", "Theil-Sen: " + fits.joined(separator: ", ")]
  }

  private static func fit(_ timings: [FileTiming]) -> String? {
    guard let line = Robust.line(through: timings.map { (Double($0.file.bytes), $0.seconds) }),
      line.slope > 0
    else { return nil }
    let rate = Figures.gigabytesPerSecond(1 / line.slope)
    let latency = Figures.significant(line.intercept * 1000, 2)
    return "\(rate) GB/s and \(latency) ms a file"
  }

  /// Codes and what to do, a line each; those in `said` by their code alone.
  static func warningLines(
    _ warnings: [Warning], said: [Warning] = [], emphasis: (String) -> String = { $0 }
  ) -> [String] {
    let news = warnings.filter { !said.contains($0) }.map { warning in
      let detail = warning.detail.map { " (\($0))" } ?? ""
      return "\(emphasis(warning.code.rawValue))  \(warning.code.advice)\(detail)"
    }
    let known = warnings.filter(said.contains).map(\.code.rawValue)
    let noted = known.isEmpty ? [] : ["Noted with the run: \(known.joined(separator: ", "))"]
    return warnings.isEmpty ? [] : [""] + news + noted
  }

  private static func medians(
    _ document: RunDocument, _ metric: Metric
  ) -> [Int: (median: Double, count: Int)] {
    var found: [Int: (median: Double, count: Int)] = [:]
    for series in document.series where series.metric == metric {
      guard case .integer(let size) = series.parameters?["file_size"],
        let median = Robust.median(series.values)
      else { continue }
      found[size] = (median, series.values.count)
    }
    return found
  }

  private static func cell(_ speed: Double?) -> String {
    speed.map(Figures.gigabytesPerSecond) ?? "–"
  }
}

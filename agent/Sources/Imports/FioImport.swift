import Base
import Document
import Formats
import Foundation

/// A reader for fio's `--output-format=json`. Jobs of one group ran at the same time, and count as
/// one run. Names of jobs and files are private.
enum FioImport {
  static func read(_ data: Data) -> [ImportedRun]? {
    // A file may hold several outputs.
    let outputs = JSONReader.readAll(data).filter { $0.value["fio version"]?.text != nil }
    guard !outputs.isEmpty else { return nil }
    var runs = outputs.flatMap { output in Self.runs(output.value).map { run in withoutGaps(run, output.gaps) } }
    let begun = String(decoding: data, as: UTF8.self).components(separatedBy: "\"fio version\"").count - 1
    if begun > outputs.count, !runs.isEmpty {
      runs[runs.count - 1].warnings.append(Warning(.incomplete, "another result in this file is cut off and was left out"))
    }
    return runs
  }

  /// Warn about numbers that fio couldn't compute: values derived from them are missing.
  private static func withoutGaps(_ run: ImportedRun, _ gaps: [String]) -> ImportedRun {
    guard !gaps.isEmpty else { return run }
    var run = run
    let keys = Set(gaps).sorted().prefix(3).joined(separator: ", ")
    run.warnings.append(Warning(.incomplete, documentText("fio has no number for \(keys)")))
    return run
  }

  private static func runs(_ value: ToolValue) -> [ImportedRun] {
    let version = value["fio version"]?.text ?? ""
    let global = value["global options"]?.entries ?? [:]
    var groups: [(id: Int, jobs: [ToolValue])] = []
    // Client results include a total of them; skip it.
    let clients = value["client_stats"]?.items.filter { $0["jobname"]?.text != "All clients" }
    for job in value["jobs"]?.items ?? clients ?? [] {
      let id = job["groupid"]?.integer ?? groups.count
      if groups.last?.id == id {
        groups[groups.count - 1].jobs.append(job)
      } else {
        groups.append((id, [job]))
      }
    }
    // Only fio on Linux reports drive utilisation.
    let isLinux = !(value["disk_util"]?.items.isEmpty ?? true)
    return groups.map { group in
      var run = run(group.jobs, global: global, version: version, finished: finished(value))
      if case .text(let engine)? = run.method.parameters?["io_engine"] { run.stated.system = systems[engine] }
      if isLinux { run.stated.system = SystemKind.linux.rawValue }
      run.stated.smallestWrite = group.jobs.compactMap { averageBlock($0, ["write"]) }.min()
      return run
    }
  }

  /// Engines that exist on one system only.
  private static let systems = [
    "libaio": "linux", "io_uring": "linux", "io_uring_cmd": "linux", "e4defrag": "linux", "splice": "linux",
    "sg": "linux", "windowsaio": "windows", "solarisaio": "solaris",
  ]

  /// Milliseconds since 1970. The other time that fio prints is local, without its zone.
  private static func finished(_ value: ToolValue) -> Double? {
    value["timestamp_ms"]?.number ?? value["timestamp"]?.number.map { $0 * 1000 }
  }

  private static func run(
    _ jobs: [ToolValue], global: [String: ToolValue], version: String, finished: Double?
  ) -> ImportedRun {
    let options = jobs.map { global.merging($0["job options"]?.entries ?? [:]) { $1 } }
    let pattern = common(options.map(Self.pattern))
    let plainVersion = version.hasPrefix("fio-") ? String(version.dropFirst(4)) : version
    let name = pattern.map { "fio-" + $0 } ?? "fio"
    var run = ImportedRun(
      suite: "disk", tool: Tool(name: "fio", version: documentText(plainVersion)),
      method: MethodRecord(name: name, version: 1, parameters: parameters(options, jobs)))
    run.finishedAt = finished.flatMap { $0 > 0 && $0 < 4e12 ? Timestamp(milliseconds: Int($0.rounded())) : nil }
    let clones = options.compactMap { $0["numjobs"]?.integer }.max() ?? 1
    for (direction, metric) in [("read", Metric.diskReadAverage), ("write", .diskWriteAverage)] {
      run.series += Series.speed(metric, speed(jobs, direction))
      run.series += latency(jobs, clones: clones, direction, pattern: pattern, depth: run.method.parameters?["io_depth"])
    }
    run.warnings = warnings(jobs, options)
    return run
  }

  /// The pattern, such as "randwrite", from either spelling of the option; nil if none is given.
  private static func pattern(_ options: [String: ToolValue]) -> String? {
    let text = (options["rw"] ?? options["readwrite"])?.text?.split(separator: ":").first.map(String.init)
    let known = ["read", "write", "randread", "randwrite", "rw", "readwrite", "randrw", "trim", "randtrim", "trimwrite"]
    return text.flatMap { known.contains($0) ? $0 : nil }
  }

  private static func common<Value: Hashable>(_ values: [Value?]) -> Value? {
    Set(values).count == 1 ? values[0] : nil
  }

  private static func parameters(_ options: [[String: ToolValue]], _ jobs: [ToolValue]) -> [String: Scalar] {
    var parameters: [String: Scalar] = ["jobs": .integer(jobs.count)]
    for (key, name) in [("iodepth", "io_depth"), ("numjobs", "num_jobs"), ("runtime", "runtime")] {
      if let number = common(options.map { $0[key]?.integer }) { parameters[name] = .integer(number) }
    }
    // Synchronous engines cap the depth at 1, whatever was requested.
    if jobs.allSatisfy({ ($0["iodepth_level"]?["1"]?.number ?? 0) >= 99.99 }) { parameters["io_depth"] = .integer(1) }
    for (key, name) in [("direct", "direct"), ("end_fsync", "end_fsync")] {
      if let flag = common(options.map { $0[key]?.boolean }) { parameters[name] = .boolean(flag) }
    }
    // "external:PATH" names a file, which is private.
    let engines = options.map { $0["ioengine"]?.text?.split(separator: ":").first.map(String.init) }
    if let engine = common(engines) { parameters["io_engine"] = .text(engine) }
    if let size = common(jobs.map { blockSize($0) }) { parameters["block_size"] = .integer(size) }
    return parameters
  }

  /// Mean bytes per transfer, in the first direction that has any. fio may misread an option:
  /// "1.0MB" became 1 byte.
  private static func averageBlock(_ job: ToolValue, _ directions: [String] = ["read", "write"]) -> Double? {
    for direction in directions {
      guard let values = job[direction], let bytes = values["io_bytes"]?.number, let count = values["total_ios"]?.number,
        bytes > 0, count > 0
      else { continue }
      // Before fio 3, io_bytes was in KiB.
      return bytes * (values["io_kbytes"] == nil ? 1024 : 1) / count
    }
    return nil
  }

  /// Bytes of "4k", "1M" or "131072"; nil unless it is one plain size.
  private static func askedBlock(_ text: String?) -> Double? {
    // Reads and writes may have different sizes: "4k,64k".
    guard let text = text?.lowercased(), !text.contains(",") else { return nil }
    let digits = text.prefix { ("0"..."9").contains($0) }
    let units = ["": 1.0, "b": 1, "k": 1024, "kb": 1024, "ki": 1024, "kib": 1024, "m": 1_048_576, "mb": 1_048_576, "mi": 1_048_576, "mib": 1_048_576]
    guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    return number * unit
  }

  /// The actual transfer size; nil unless it was constant.
  private static func blockSize(_ job: ToolValue) -> Int? {
    for direction in ["read", "write"] {
      guard let values = job[direction], values["io_kbytes"] != nil, let bytes = values["io_bytes"]?.bytes,
        let count = values["total_ios"]?.bytes, bytes > 0, count > 0, bytes % count == 0
      else { continue }
      return bytes / count
    }
    return nil
  }

  /// Bytes of all jobs divided by the longest job's time.
  private static func speed(_ jobs: [ToolValue], _ direction: String) -> Double? {
    let active = jobs.compactMap { $0[direction] }.filter { ($0["io_bytes"]?.number ?? 0) > 0 }
    // Before fio 3, io_bytes was in KiB; io_kbytes was added with the change.
    let areBytes = active.allSatisfy { $0["io_kbytes"] != nil }
    let time = active.compactMap { $0["runtime"]?.number }.max() ?? 0
    if active.count == 1 || time <= 0 || !areBytes {
      let rates = active.compactMap { $0["bw_bytes"]?.number ?? $0["bw"]?.number.map { $0 * 1024 } }
      return rates.count == active.count && !rates.isEmpty ? rates.reduce(0, +) : nil
    }
    return active.compactMap { $0["io_bytes"]?.number }.reduce(0, +) / time * 1000
  }

  /// Mean latency of a small random transfer, if one job without clones tested it.
  private static func latency(
    _ jobs: [ToolValue], clones: Int, _ direction: String, pattern: String?, depth: Scalar?
  ) -> [Series] {
    guard jobs.count == 1, clones == 1, let pattern, pattern.hasPrefix("rand"),
      let size = sizes[blockSize(jobs[0]) ?? 0], size.isEmpty || direction == "write",
      case .integer(let depth)? = depth ?? .integer(1),
      let values = jobs[0][direction], (values["total_ios"]?.integer ?? 0) > 0,
      let mean = values["lat_ns"]?["mean"]?.number, mean > 0, mean < 1e15
    else { return [] }
    return [Series(metric: .diskLatency, parameters: ["test": .text("random_\(direction)_\(size)qd\(depth)")], values: [mean / 1e9])]
  }

  /// Prefixes that the agent's own method uses for tests of that size.
  private static let sizes = [4096: "", 16384: "16k_"]

  private static func warnings(_ jobs: [ToolValue], _ options: [[String: ToolValue]]) -> [Warning] {
    var warnings: [Warning] = []
    if jobs.contains(where: { ($0["error"]?.integer ?? 0) != 0 }) {
      warnings.append(Warning(.incomplete, "fio reports an error"))
    }
    if options.allSatisfy(\.isEmpty) {
      warnings.append(Warning(.cacheStateUnstated))
    } else if options.contains(where: { $0["direct"]?.boolean != true }) {
      warnings.append(Warning(.cacheNotBypassed, "direct=1 was not set"))
    }
    warnings += zip(jobs, options).lazy.compactMap(misread).prefix(1)
    return warnings
  }

  /// Warn if fio misread the block size: no drive has blocks below 512 bytes, and the end of a file
  /// shortens only the last transfer.
  private static func misread(_ job: ToolValue, _ options: [String: ToolValue]) -> Warning? {
    guard let block = averageBlock(job) else { return nil }
    let asked = (options["bs"] ?? options["blocksize"])?.text
    let isOther = askedBlock(asked).map { block < $0 / 2 || block > $0 * 2 } ?? false
    guard block < 512 || isOther else { return nil }
    let size = Figures.significant(block, block < 10 ? 2 : 3)
    return Warning(
      .inconsistent,
      documentText("fio transferred \(size) bytes at a time" + (asked.map { " where bs=\($0) was asked for" } ?? "")
        + ": measure again with bs as a whole number, such as 1M"))
  }
}

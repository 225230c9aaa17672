import Base
import Document
import Foundation
import MacTools

/// A reader for saved `powermetrics` output, text or property lists: traces of everything it
/// sampled, and the highest CPU power. It reads in chunks, so that hours of recording need no more
/// memory than minutes. Concatenated recordings of other Macs or times become separate runs.
struct PowerMetricsImport {
  private var stream = PowerMetricsStream()
  private var recording = PowerRecording()
  private var runs: [ImportedRun] = []
  /// Samples so far, and duplicates among them.
  private var count = 0
  private var doubled = 0

  /// Whether a file starts like powermetrics output. A sample with all its tasks may be longer than
  /// `beginning`.
  static func recognises(beginning: [UInt8]) -> Bool {
    var stream = PowerMetricsStream()
    let samples = stream.take(beginning)
    let first = beginning.first { $0 > 0x20 }
    return !samples.isEmpty || stream.isCertain || first == UInt8(ascii: "<")
  }

  /// nil if it is something else.
  static func read(_ data: Data) throws -> [ImportedRun]? {
    var reading = PowerMetricsImport()
    reading.take(Array(data))
    return try reading.finish()
  }

  mutating func take(_ bytes: [UInt8]) {
    for sample in stream.take(bytes) { take(sample) }
  }

  private mutating func take(_ sample: PowerSample) {
    let begins = stream.recordings.contains { $0.firstSample == count } && count > 0
    if begins || recording.isAfter(sample) { endRecording() }
    count += 1
    recording.take(sample)
  }

  /// Make a run of the samples so far, if any are new to the file.
  private mutating func endRecording() {
    defer {
      doubled += recording.doubled
      recording = recording.next()
    }
    // The recording of the last sample.
    guard recording.count > 0, let own = stream.recordings.last(where: { $0.firstSample < count }) else { return }
    var run = run(of: own.machine)
    if own.endsEarly {
      run.warnings.append(Warning(.incomplete, "a recording in this file ends within a sample"))
    }
    if !run.series.isEmpty || !run.traces.isEmpty { runs.append(run) }
  }

  private mutating func run(of machine: SampledMachine) -> ImportedRun {
    var run = ImportedRun(
      suite: "power", tool: Tool(name: "powermetrics"), method: MethodRecord(name: "powermetrics", version: 1))
    run.method.parameters = ["samples": .integer(recording.count)]
    run.stated.model = machine.model
    run.stated.osBuild = machine.osBuild
    run.stated.system = SystemKind.macOS.rawValue
    run.stated.clusters = recording.clusters
    run.stated.highestFrequency = recording.highestFrequency
    run.startedAt = recording.first
    run.finishedAt = recording.last
    run.traces = PowerTrace.traces(recording.finish())
    if recording.samplesEach > 1 { run.method.parameters?["samples_averaged"] = .integer(recording.samplesEach) }
    if let highest = recording.highestPower {
      run.series = [Series(metric: .powerCPUMaximum, values: [highest])]
    }
    return run
  }

  mutating func finish() throws -> [ImportedRun]? {
    for sample in stream.finish() { take(sample) }
    endRecording()
    guard count > 0 else {
      guard stream.isCertain else { return nil }
      throw stream.endsEarly || stream.damaged > 0 ? ImportError.cut(tool: "powermetrics") : ImportError.otherSamplers
    }
    guard !runs.isEmpty else { throw ImportError.otherSamplers }
    if stream.beginsLate {
      runs[0].warnings.append(Warning(.incomplete, "the file begins within a sample, which was left out"))
    }
    runs[runs.count - 1].warnings += warnings
    return runs
  }

  private var warnings: [Warning] {
    var warnings: [Warning] = []
    if stream.endsEarly {
      warnings.append(Warning(.incomplete, "the file ends within a sample: it was cut off, or copied while powermetrics was running"))
    }
    let unreadable = stream.damaged - (stream.endsEarly ? 1 : 0)
    if unreadable > 0 {
      warnings.append(Warning(.incomplete, "\(unreadable) \(unreadable == 1 ? "sample" : "samples") could not be read"))
    }
    if doubled > 0 {
      let what = doubled == 1 ? "1 sample is" : "\(doubled) samples are"
      warnings.append(Warning(.inconsistent, "\(what) in the file twice and counted once"))
    }
    return warnings
  }
}

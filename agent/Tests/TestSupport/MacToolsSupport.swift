import Document
import Foundation
import Imports
import MacTools
import Testing

/// Real output of macOS's tools, stored next to the repository, not in it. Tests read what is
/// there; in a clone without that folder they report that they read none.
package enum Captures {
  package static let directory = repository.deletingLastPathComponent().appendingPathComponent("shared/captures")
  package static let present = FileManager.default.fileExists(atPath: directory.path)
  /// Trait of every test that reads captures: without them the test shows as skipped, and how many
  /// it read.
  package static let counted = ConditionTrait.enabled(if: announced(), "0 of \(known) captures read: ../shared/captures is not here")
  /// Number of captures in the full folder.
  package static let known = 126
  private static let reading = Reading()

  /// Whether the captures exist. The number read is printed after the tests.
  private static func announced() -> Bool {
    reading.begin()
    return present
  }

  private final class Reading: @unchecked Sendable {
    private let lock = NSLock()
    private var names: Set<String> = []
    private var hasBegun = false
    var count: Int { lock.withLock { names.count } }

    func begin() {
      lock.withLock {
        guard !hasBegun else { return }
        hasBegun = true
        atexit {
          let absent = Captures.present ? "" : " (../shared/captures is not here; what we composed stands for them)"
          print("captures: \(Captures.reading.count) of \(Captures.known) read\(absent)")
        }
      }
    }

    func add(_ name: String) { lock.withLock { _ = names.insert(name) } }
  }

  package static func data(_ name: String) throws -> Data {
    reading.add(name)
    return try Data(contentsOf: directory.appendingPathComponent(name))
  }

  package static func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  /// Paths of all captures below the folder, sorted.
  package static func all() -> [String] {
    let files = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.contains("/") && $0.split(separator: "/").last?.contains(".") == true }.sorted()
  }
}

extension USBTree {
  /// The chain, if only one device matches.
  package func chain(disk: String?, model: String?) -> Chain? {
    let found = chains(disk: disk, model: model)
    return found.count == 1 ? found.first : nil
  }
}

/// Our own examples, made from facts about the formats.
package enum Fixtures {
  package static let directory = repository.appendingPathComponent("agent/Tests/Fixtures/mac")

  package static func data(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(name))
  }

  package static func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  package static func all() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }
}

/// Everything that any reader gets from these bytes, as JSON by the reader's name: all that could
/// leave the agent. Names that occur only in other tools' output ("command" texts) are among the
/// bytes.
package enum EveryReader {
  package static func facts(_ data: Data) throws -> [String: String] {
    let text = String(decoding: data, as: UTF8.self)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .throw
    var facts: [String: String] = [:]
    func keep(_ name: String, _ value: (any Encodable)?) throws {
      if let value { facts[name] = String(decoding: try encoder.encode(value), as: UTF8.self) }
    }
    try keep("KernelState", KernelState.read(text))
    try keep("SystemVersion", SystemVersion.read(text))
    try keep("HardwareProfile", HardwareProfile.read(data))
    try keep("FileVaultStatus", FileVaultStatus.read(text))
    try keep("PowerState", PowerState.read(text))
    try keep("PowerMode", PowerMode.read(text))
    try keep("ThermalLimits", ThermalLimits.read(text))
    try keep("PowerAdapter", PowerAdapter.read(text))
    try keep("BackupStatus", BackupStatus.read(data))
    try keep("IndexingStatus", IndexingStatus.read(text))
    try keep("BackgroundWork", BackgroundWork.read(text))
    try keep("DiskInformation", DiskInformation.read(data))
    try keep("DiskListing", DiskListing.read(data))
    try keep("ContainerListing", ContainerListing.read(data))
    try keep("AttachedImages", AttachedImages.read(data))
    try keep("AttachedEntity", AttachedEntity.read(data))
    try keep("ImageDescription", ImageDescription.read(data))
    try keep("ImageHeader", ImageDescription.header(data))
    try keep("ThunderboltTree", ThunderboltTree.read(data))
    try keep("USBTree", USBTree.read(data))
    try keep("DriveProfile", DriveProfile.read(data) { _ in "identified" })
    try keep("VolumeProfile", VolumeProfile.read(data))
    try keep("BatteryProfile", BatteryProfile.read(data))
    try keep("BatteryTelemetry", BatteryTelemetry.read(data))
    try keep("FrequencyTables", FrequencyTables.read(text))
    try keep("GPUCores", GPUCores.read(text))
    try keep("DeviceName", DeviceName.mounted(text))
    let power = PowerMetricsStream.read(data)
    try keep("PowerMetricsStream", power.samples)
    try keep("SampledMachine", power.machine)
    try keep("PowerSummary", PowerSummary.of(power.samples, phase: "all"))
    for (place, run) in ((try? ImportedRuns.read(data)) ?? []).enumerated() {
      try keep("Import \(place)", Imported(run))
    }
    return facts
  }

  /// An imported run as it would appear in a document.
  private struct Imported: Encodable {
    var suite: String
    var tool: Tool
    var method: MethodRecord
    var times: [Timestamp]
    var stated: [String]
    var series: [Series]
    var traces: [Trace]
    var warnings: [Warning]

    init(_ run: ImportedRun) {
      suite = run.suite
      tool = run.tool
      method = run.method
      times = [run.startedAt, run.finishedAt].compactMap { $0 }
      let stated = run.stated
      self.stated = [stated.model, stated.chip, stated.osVersion, stated.osBuild, stated.device].compactMap { $0 }
      series = run.series
      traces = run.traces
      warnings = run.warnings
    }
  }
}

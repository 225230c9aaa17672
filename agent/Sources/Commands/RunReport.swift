import Base
import Document

/// The report of a run of any suite.
enum RunReport {
  /// The whole run. Warnings already shown are not explained again.
  static func lines(_ measured: MeasuredRun, said: [Warning], _ terminal: Terminal) -> [String] {
    let document = measured.document
    let machine = [document.machine.modelName ?? document.machine.model, document.machine.chip,
      document.environment?.osVersion.map(systemName)].compactMap { $0 }.joined(separator: " · ")
    var lines = ["", terminal.bold("\(document.suite) \(document.method.name)") + "   " + machine]
    if let target = document.target { lines.append(targetLine(target)) }
    lines += [""] + measured.figures
    lines += warningLines(document.warnings ?? [], said: said, emphasis: terminal.bold)
    return lines + [""]
  }

  /// "macOS 26.4"; other systems include their name in the version.
  static func systemName(_ version: String) -> String {
    version.first?.isNumber == true ? "macOS \(version)" : version
  }

  static func targetLine(_ target: TargetRecord) -> String {
    var parts = [target.storage.words]
    if let image = target.image {
      let state = image.state.map { $0.words + " " } ?? ""
      let format = image.format?.words ?? Storage.diskImage.words
      parts = ["\(state)\(format) on \(image.host?.storage.words ?? "unknown storage")"]
    }
    if let speed = target.linkSpeed { parts.append("\(Figures.bitRate(speed)) link") }
    if let device = target.device { parts.append(device) }
    if let via = target.via, via != "direct" { parts.append("through \(via)") }
    if let encryption = target.encryption { parts.append(encryption.words) }
    if let fileSystem = target.fileSystem { parts.append(fileSystemWords(fileSystem)) }
    return parts.joined(separator: ", ")
  }

  /// Meaning and remedy of each warning. Those in `said` are only counted.
  /// - Parameter tool: the tool whose results were imported; nil if the agent measured.
  static func warningLines(
    _ warnings: [Warning], said: [Warning] = [], importedFrom tool: String? = nil, emphasis: (String) -> String = { $0 }
  ) -> [String] {
    let news = warnings.filter { !said.contains($0) }.map { "\(emphasis("Warning:")) \($0.advice(importedFrom: tool))" }
    let noted: [String] = switch warnings.count(where: said.contains) {
    case 0: []
    case 1: ["The warning shown at the start is kept with the run."]
    case let count: ["The \(count) warnings shown at the start are kept with the run."]
    }
    return warnings.isEmpty ? [] : [""] + news + noted
  }
}

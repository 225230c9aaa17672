import Base
import Document

/// A run of any suite in words and columns.
enum RunReport {
  /// The whole run. Warnings shown before it are not explained a second time.
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

  /// "macOS 26.4"; other systems name themselves in their version.
  static func systemName(_ version: String) -> String {
    version.first?.isNumber == true ? "macOS \(version)" : version
  }

  static func targetLine(_ target: TargetRecord) -> String {
    var parts = [target.storage.rawValue]
    if let image = target.image {
      let state = image.state.map { "\($0) " } ?? ""
      let format = image.format.map { "\($0) " } ?? ""
      parts = ["\(state)\(format)disk image on \(image.host?.storage.rawValue ?? "unknown storage")"]
    }
    if let speed = target.linkSpeed { parts.append("\(Figures.significant(speed / 1e9, 3)) Gb/s link") }
    if let device = target.device { parts.append(device) }
    if let via = target.via, via != "direct" { parts.append("through \(via)") }
    if let encryption = target.encryption { parts.append("encryption \(encryption)") }
    if let fileSystem = target.fileSystem { parts.append(fileSystem) }
    let line = parts.joined(separator: ", ").replacingOccurrences(of: "_", with: " ")
    return line + (target.doubt.map { " (\($0))" } ?? "")
  }

  /// What each means and what to do, with its code last; those in `said` with their code alone.
  static func warningLines(
    _ warnings: [Warning], said: [Warning] = [], emphasis: (String) -> String = { $0 }
  ) -> [String] {
    let news = warnings.filter { !said.contains($0) }.map { warning in
      let detail = warning.detail.map { " (\($0))" } ?? ""
      return "\(emphasis("Warning:")) \(warning.code.advice)\(detail) [\(warning.code.rawValue)]"
    }
    let known = warnings.filter(said.contains).map(\.code.rawValue)
    let noted = known.isEmpty ? [] : ["Warnings kept with the run: \(known.joined(separator: ", "))"]
    return warnings.isEmpty ? [] : [""] + news + noted
  }
}

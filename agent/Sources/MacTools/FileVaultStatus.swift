import Base
import Formats

/// FileVault of the startup volume, from `fdesetup status`.
package struct FileVaultStatus: Codable, Equatable, Sendable {
  /// nil if the tool doesn't say. "Off, but will be enabled after the next restart" is off.
  package var isOn: Bool?
  package var isEncrypting = false
  package var isDecrypting = false
  /// Progress of the current work, 0...1.
  package var progress: Double?
  /// A change takes effect at the next restart or log-in.
  package var isPending = false

  package static func read(_ text: String) -> FileVaultStatus {
    var status = FileVaultStatus()
    for line in Lines.of(text).map(trimmed) {
      let words = line.lowercased()
      if words.hasPrefix("filevault is on") { status.isOn = true }
      if words.hasPrefix("filevault is off") { status.isOn = false }
      if words.hasPrefix("filevault is o"), words.contains(", but") { status.isPending = true }
      if words.hasPrefix("deferred enablement appears to be active") { status.isPending = true }
      if words.hasPrefix("encryption in progress") { status.isEncrypting = true }
      if words.hasPrefix("decryption in progress") { status.isDecrypting = true }
      if words.contains("in progress"), let sign = words.lastIndex(of: "=") {
        status.progress = Quantity.number(words[words.index(after: sign)...]).map { $0 / 100 }
      }
    }
    return status
  }
}

extension FileVaultStatus {
  /// Keep only the status: the output names users.
  package static let recorded = Recorded(line: { line, _, _ in
    let status = read(String(line))
    if let isOn = status.isOn { return "FileVault is \(isOn ? "On" : "Off")" + (status.isPending ? ", but will change." : ".") }
    let number = line.components(separatedBy: "=").last.map { $0.filter { $0.isNumber || ".,".contains($0) } } ?? ""
    let percent = status.progress == nil ? "" : " Percent completed = \(number)"
    if status.isEncrypting { return "Encryption in progress:" + percent }
    if status.isDecrypting { return "Decryption in progress:" + percent }
    return status.isPending ? "Deferred enablement appears to be active" : nil
  })
}

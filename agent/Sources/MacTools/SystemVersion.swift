import Formats

/// Version and build of macOS, from `sw_vers`.
package struct SystemVersion: Codable, Equatable, Sendable {
  /// For example "26.4"; with a rapid security response also its letter: "13.4.1 (a)".
  package var version: String?
  package var build: String?

  package static func read(_ text: String) -> SystemVersion {
    let lines = LabelledText(text)
    let version = lines["ProductVersion"].flatMap(version)
    let extra = lines["ProductVersionExtra"].flatMap { isLetter($0) ? " " + $0 : nil } ?? ""
    return SystemVersion(version: version.map { $0 + extra }, build: lines["BuildVersion"].flatMap(build))
  }

  /// The text if it looks like "26.4", else nil.
  package static func version(_ text: String) -> String? {
    let isVersion = text.count <= 16 && text.first?.isNumber == true && text.allSatisfy { ("0"..."9").contains($0) || $0 == "." }
    return isVersion ? text : nil
  }

  /// Whether it looks like "(a)".
  private static func isLetter(_ text: String) -> Bool {
    text.hasPrefix("(") && text.hasSuffix(")") && (3...5).contains(text.count)
      && text.dropFirst().dropLast().allSatisfy { $0.isASCII && $0.isLetter }
  }

  /// The text if it looks like "25E246" or "26A5421a", never a name; else nil.
  package static func build(_ text: String) -> String? {
    let isBuild = text.count <= 16 && text.first?.isNumber == true
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isBuild ? text : nil
  }
}

extension SystemVersion {
  package static let recorded = Recorded(line: Recorded.labels { label, value, _, _ in
    switch label {
    case "ProductVersion": version(value)
    case "ProductVersionExtra": isLetter(value) ? value : nil
    case "BuildVersion": build(value)
    default: nil
    }
  })
}

/// What `sw_vers` tells: the version of macOS and its build.
public struct SystemVersion: Codable, Equatable, Sendable {
  /// Such as "26.4"; with a rapid security response also its letter: "13.4.1 (a)".
  public var version: String?
  public var build: String?

  public static func read(_ text: String) -> SystemVersion {
    let lines = LabelledText(text)
    let version = lines["ProductVersion"].flatMap { isVersion($0) ? $0 : nil }
    let extra = lines["ProductVersionExtra"].map { " " + $0 } ?? ""
    return SystemVersion(
      version: documentText(version.map { $0 + extra }),
      build: documentText(lines["BuildVersion"].flatMap { isBuild($0) ? $0 : nil }))
  }

  private static func isVersion(_ text: String) -> Bool {
    text.first?.isNumber == true && text.allSatisfy { $0.isNumber || $0 == "." }
  }

  /// "25E246", "26A5421a": never a name.
  private static func isBuild(_ text: String) -> Bool {
    text.count <= 16 && text.first?.isNumber == true && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

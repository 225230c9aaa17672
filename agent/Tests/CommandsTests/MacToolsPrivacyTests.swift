import Foundation
import TestSupport
import Testing



/// Checks that no reader, given any output, reveals who owns a Mac or which one it is.
@Suite struct MacToolsPrivacyTests {
  @Test(
    "no serial, UUID, host's, user's or volume's name in the facts of any capture",
    Captures.counted)
  func captures() throws {
    let names = Captures.all()
    var secrets = 0
    for name in names { secrets += try check(try Captures.data(name), name) }
    print("privacy: \(names.count) captures read, \(secrets) private strings looked for")
    #expect(names.count > 100)
    #expect(secrets > 200)
  }

  @Test("nor in those of our own examples")
  func fixtures() throws {
    for name in try Fixtures.all() { _ = try check(try Fixtures.data(name), name) }
  }

  private func check(_ data: Data, _ name: String) throws -> Int {
    let secrets = Secrets.of(String(decoding: data, as: UTF8.self))
    for (reader, facts) in try EveryReader.facts(data) {
      for secret in secrets where facts.contains(secret) {
        Issue.record("\(name): \(reader) lets \(secret) out")
      }
    }
    return secrets.count
  }
}

/// Strings in a tool's output that look private.
enum Secrets {
  static func of(_ text: String) -> Set<String> {
    var found: Set<String> = []
    for pattern in patterns { found.formUnion(matches(pattern, text)) }
    return found.filter { secret in
      secret.count >= 4 && !harmless.contains(secret) && !secret.allSatisfy { $0.isNumber || ".,%-".contains($0) }
    }
  }

  private static let patterns = [
    // UUIDs, and unique ids in hexadecimal.
    "([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})",
    "(0x[0-9A-Fa-f]{12,})",
    // Serial numbers, UDIDs and the like, in JSON, property lists, ioreg and text.
    "\"[^\"\\n]*(?i:serial|uuid|udid|_uid)[^\"\\n]*\"\\s*[:=]\\s*\"([^\"\\n]+)\"",
    "<key>[^<]*(?i:serial|uuid|udid|_uid|volumename|mountpoint)[^<]*</key>\\s*<string>([^<]+)</string>",
    "(?i:serial number|udid|uuid)[^:\\n]*:[ \\t]+(\\S.*)",
    // Users, hosts, paths, commands.
    "/Users/([^/\\s\"<]+)", "(/Users/[^\\s\"<]+)", "(/Volumes/[^\\s\"<]+)",
    "(?:kern\\.hostname|ComputerName|UserNameKey)[\"=: ]+([^\"\\n]+)", "LongUserNameKey\"=\"([^\"]+)\"",
    "computer-name\" = <\"([^\"]+)\"", "\"(?:command|jobname)\"\\s*:\\s*\"([^\"\\n]+)\"",
    // Names that people give to volumes, and names of what runs on their Macs.
    "Volume Name:[ \\t]+(\\S.*)", "Name:[ \\t]+(.+) \\(Case-", "\"mount_point\"\\s*:\\s*\"(/[^\"]+)\"",
    "Volume\\s+:\\s+([^:\\n]+):", "(?:APFS Volume|APFS Snapshot|Apple_HFS|EFI) (\\S.*?) {2,}",
    "<key>(?:Name|VolumeName|volume-name)</key>\\s*<string>([^<]+)</string>",
    "(?:com\\.[A-Za-z]+\\.[A-Za-z.]+)", "(?m)^(\\S[^:\\n]{2,33}?) {2,}-?\\d+ +\\d+\\.\\d+",
  ]

  /// Names that macOS gives to all volumes.
  private static let harmless: Set<String> = [
    "Macintosh HD", "Preboot", "Recovery", "Data", "Update", "Hardware", "xART", "iSCPreboot", "disk image", "Not Provided",
    "identified", "powermetrics",
  ]

  private static func matches(_ pattern: String, _ text: String) -> [String] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { match in
      let range = match.range(at: match.numberOfRanges > 1 ? 1 : 0)
      return Range(range, in: text).map { text[$0].trimmingCharacters(in: .whitespacesAndNewlines) }
    }
  }
}

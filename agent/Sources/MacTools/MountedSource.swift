import Base
import Formats
import Foundation

/// What a path's file system is mounted from, by `df` and, unless that is a device, `mount`.
package struct MountedSource: Equatable {
  package enum Kind: Equatable {
    case device(String)
    /// Another computer's storage.
    case network
    /// Made by a program on this Mac (FUSE, or a server that this Mac is itself), of what nobody knows.
    case program
    case unknown
  }

  package let kind: Kind
  /// Whether it is mounted where no volume of the running system is.
  let isExtra: Bool

  /// nil where `df` does not say.
  package static func read(_ path: String, _ run: MacToolRunner) -> MountedSource? {
    guard let line = line(path, run), let source = firstWord(line) else { return nil }
    let isExtra = line.components(separatedBy: "% ").last.map(trimmed)?.hasPrefix("/Volumes/") == true
    return MountedSource(kind: kind(source, run), isExtra: isExtra)
  }

  /// As `df` calls it.
  static func source(_ path: String, _ run: MacToolRunner) -> String? { line(path, run).flatMap(firstWord) }

  private static func line(_ path: String, _ run: MacToolRunner) -> Substring? {
    run(["df", "-P", path]).flatMap { Lines.of(String(decoding: $0, as: UTF8.self)).dropFirst().first }
  }

  private static func kind(_ source: String, _ run: MacToolRunner) -> Kind {
    if let device = DeviceName.mounted(source) { return .device(device) }
    let host = host(source)
    if let host, isThisMac(host) { return .program }
    // "user@server:/path" is another computer's, whatever mounts it.
    if host != nil, source.contains("@") { return .network }
    let types = types(of: source, run)
    // Programs call what they make "name:/path", too, but neither "//name/path" nor "http://name/path".
    if types.isEmpty, host != nil, source.hasPrefix("//") || source.contains("://") { return .network }
    if !types.isEmpty, types.isSubset(of: ofServers) { return .network }
    return !types.isEmpty && types.allSatisfy { $0.contains("fuse") } ? .program : .unknown
  }

  /// The types of macOS's file systems that are another computer's. A guest's folders of its host and what
  /// nobody has heard of are of neither kind.
  private static let ofServers: Set<String> = ["nfs", "smbfs", "cifs", "afpfs", "webdav", "ftp", "afs"]

  /// A network's name may hold spaces; a device's does not.
  private static func firstWord(_ line: Substring) -> String? { line.split(separator: " ").first.map(String.init) }

  private static let shares: Set<String> = ["http", "https", "webdav", "ftp", "sftp", "afp", "smb", "cifs", "nfs"]

  /// The computer that "//user@host/share", "http://host:80/x", "user@host:" or "host:/path" names; nil where
  /// nothing names one.
  static func host(_ source: String) -> String? {
    var authority = source[...]
    if source.hasPrefix("//") {
      authority = source.dropFirst(2).prefix { $0 != "/" }
    } else if let scheme = source.range(of: "://") {
      guard shares.contains(source[..<scheme.lowerBound].lowercased()) else { return nil }
      authority = source[scheme.upperBound...].prefix { $0 != "/" }
    } else if let path = source.range(of: ":/") {
      authority = source[..<path.lowerBound]
    } else if source.contains("@"), source.hasSuffix(":") {
      authority = source.dropLast()
    } else {
      return nil
    }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    if place.first == "[" { return String(place.dropFirst().prefix { $0 != "]" }) }
    // An address of IPv6 has several colons, a port is behind the only one.
    return place.count(where: { $0 == ":" }) == 1 ? String(place.prefix { $0 != ":" }) : String(place)
  }

  /// Programs that make file systems call them so, or are servers that this Mac alone reaches.
  static func isThisMac(_ host: String) -> Bool {
    let host = host.lowercased().drop { $0 == "." }.prefix { $0 != "(" }
    let name = host.last == "." ? host.dropLast() : host
    let isAddress = name.allSatisfy { $0.isHexDigit || ".:".contains($0) }
    return name.isEmpty || name.hasSuffix("%lo0") || name.split(separator: ".").contains("localhost")
      || ["ip6-localhost", "ip6-loopback", "broadcasthost", "fuse", "fuse-t", "macfuse", "osxfuse"].contains(name)
      || (isAddress && (name.hasPrefix("127.") || name.contains(":127.") || ["0.0.0.0", "::"].contains(name) || isLoopback(name)))
  }

  /// "::1" and its longer forms.
  private static func isLoopback(_ address: Substring) -> Bool {
    address.contains(":") && address.last == "1" && address.dropLast().allSatisfy { "0:".contains($0) }
  }

  /// "server:/x on /Volumes/x (nfs, nodev)": nfs. Several where more is mounted from what is called so.
  private static func types(of source: String, _ run: MacToolRunner) -> Set<String> {
    let answer = run(["mount"]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Set(Lines.of(answer).filter { firstWord($0) == source }.compactMap(type))
  }

  private static func type(_ line: Substring) -> String? {
    line.range(of: " (", options: .backwards).map { line[$0.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }.lowercased() }
  }
}

extension MountedSource {
  /// What `df` tells, of which the first line is a heading: where a directory lies. A share is called after
  /// its user, its server and itself.
  package static let recordedPlace = Recorded(line: { line, _, names in
    if line.hasPrefix("Filesystem") { return "Filesystem 512-blocks Used Available Capacity Mounted on" }
    guard let source = firstWord(line) else { return nil }
    let mount = line.components(separatedBy: "% ").last.map(trimmed) ?? ""
    let place = mount.hasPrefix("/Volumes/") ? "/Volumes/" + names.name(String(mount.dropFirst(9))) : "/"
    return "\(recorded(source, names)) 1 1 1 1% \(place)"
  })

  package static let recordedMounts = Recorded(line: { line, _, names in
    guard let source = firstWord(line), let type = type(line) else { return nil }
    return "\(recorded(source, names)) on / (\(type))"
  })

  private static func recorded(_ source: String, _ names: StandIns) -> String {
    if DeviceName.read(source) != nil { return source }
    if let device = DeviceName.mounted(source) {
      return source.contains("@/dev/") ? "snapshot@/dev/\(device)" : "volume://\(device)/"
    }
    guard let host = host(source) else { return names.name(source) }
    if isThisMac(host) { return "localhost:/" + names.name(source) }
    if source.hasPrefix("//") { return "//" + names.name(String(source.dropFirst(2))) }
    // With a user in it, it is a server's whatever mounts it.
    return (source.contains("@") ? "user@" : "") + "server:/" + names.name(source)
  }
}

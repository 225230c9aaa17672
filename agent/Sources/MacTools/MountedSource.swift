import Base
import Formats
import Foundation

/// The source of a path's file system, from `df` and, unless that names a device, `mount`.
package struct MountedSource: Equatable {
  package enum Kind: Equatable {
    case device(String)
    /// Another computer's storage.
    case network
    /// Provided by a program on this Mac (FUSE, or a local server) from an unknown source.
    case program
    case unknown
  }

  package let kind: Kind
  /// Whether it is mounted outside the running system's own volumes.
  let isExtra: Bool

  /// nil if `df` doesn't say.
  package static func read(_ path: String, _ run: MacToolRunner) -> MountedSource? {
    guard let line = line(path, run), let source = firstWord(line) else { return nil }
    let isExtra = line.components(separatedBy: "% ").last.map(trimmed)?.hasPrefix("/Volumes/") == true
    return MountedSource(kind: kind(source, run), isExtra: isExtra)
  }

  /// The source as `df` prints it.
  static func source(_ path: String, _ run: MacToolRunner) -> String? { line(path, run).flatMap(firstWord) }

  private static func line(_ path: String, _ run: MacToolRunner) -> Substring? {
    run(["df", "-P", path]).flatMap { Lines.of(String(decoding: $0, as: UTF8.self)).dropFirst().first }
  }

  private static func kind(_ source: String, _ run: MacToolRunner) -> Kind {
    if let device = DeviceName.mounted(source) { return .device(device) }
    let host = host(source)
    if let host, isThisMac(host) { return .program }
    // "user@server:/path" is another computer, whatever mounts it.
    if host != nil, source.contains("@") { return .network }
    let types = types(of: source, run)
    // Programs also name their file systems "name:/path", but never "//name/path" or
    // "http://name/path".
    if types.isEmpty, host != nil, source.hasPrefix("//") || source.contains("://") { return .network }
    if !types.isEmpty, types.isSubset(of: ofServers) { return .network }
    return !types.isEmpty && types.allSatisfy { $0.contains("fuse") } ? .program : .unknown
  }

  /// macOS file system types that belong to another computer. A guest's shared host folders and
  /// unknown types are neither network nor program.
  private static let ofServers: Set<String> = ["nfs", "smbfs", "cifs", "afpfs", "webdav", "ftp", "afs"]

  /// The first word of a line: network sources may contain spaces, but devices don't.
  private static func firstWord(_ line: Substring) -> String? { line.split(separator: " ").first.map(String.init) }

  private static let shares: Set<String> = ["http", "https", "webdav", "ftp", "sftp", "afp", "smb", "cifs", "nfs"]

  /// The computer named in "//user@host/share", "http://host:80/x", "user@host:" or "host:/path";
  /// nil if none is.
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
    // An IPv6 address has several colons; with only one, a port follows.
    return place.count(where: { $0 == ":" }) == 1 ? String(place.prefix { $0 != ":" }) : String(place)
  }

  /// Whether the host is this Mac: programs that provide file systems use such names, or a local
  /// server.
  static func isThisMac(_ host: String) -> Bool {
    let host = host.lowercased().drop { $0 == "." }.prefix { $0 != "(" }
    let name = host.last == "." ? host.dropLast() : host
    let isAddress = name.allSatisfy { $0.isHexDigit || ".:".contains($0) }
    return name.isEmpty || name.hasSuffix("%lo0") || name.split(separator: ".").contains("localhost")
      || ["ip6-localhost", "ip6-loopback", "broadcasthost", "fuse", "fuse-t", "macfuse", "osxfuse"].contains(name)
      || (isAddress && (name.hasPrefix("127.") || name.contains(":127.") || ["0.0.0.0", "::"].contains(name) || isLoopback(name)))
  }

  /// Whether this is "::1" or a longer form of it.
  private static func isLoopback(_ address: Substring) -> Bool {
    address.contains(":") && address.last == "1" && address.dropLast().allSatisfy { "0:".contains($0) }
  }

  /// File system types in `mount`'s lines, such as nfs in "server:/x on /Volumes/x (nfs, nodev)".
  /// Several if different mounts share the source's name.
  private static func types(of source: String, _ run: MacToolRunner) -> Set<String> {
    let answer = run(["mount"]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Set(Lines.of(answer).filter { firstWord($0) == source }.compactMap(type))
  }

  private static func type(_ line: Substring) -> String? {
    line.range(of: " (", options: .backwards).map { line[$0.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }.lowercased() }
  }
}

extension MountedSource {
  /// Keep `df`'s heading and where a directory is mounted. A share's name contains its user, its
  /// server and itself.
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
    // Keep that there is a user: it marks a server, whatever mounts it.
    return (source.contains("@") ? "user@" : "") + "server:/" + names.name(source)
  }
}

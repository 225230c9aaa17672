import Foundation

/// A server's address as the user gave it: http or https, without a query or trailing slash.
package struct ServerAddress: Equatable {
  package let text: String

  package init?(_ text: String) {
    guard var parts = URLComponents(string: trimmed(text)),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
      (1...65535).contains(parts.port ?? 80)
    else { return nil }
    parts.scheme = scheme
    parts.query = nil
    parts.fragment = nil
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let whole = parts.string else { return nil }
    self.text = whole
  }

  /// Whether a token sent there could be intercepted.
  package var isReadableOnTheWay: Bool {
    guard let parts = URLComponents(string: text), parts.scheme == "http" else { return false }
    return !["localhost", "127.0.0.1", "::1", "[::1]"].contains(parts.host ?? "")
  }

  /// Describe why a request failed, naming the server.
  package func unreached(_ error: TransportError, from system: SystemKind) -> TransportError {
    guard !error.isUntrusted else { return TransportError(description: "\(text): \(error)", isUntrusted: true) }
    // macOS blocks programs from the local network until allowed, without saying so (TN3179).
    let hint = system == .macOS && isLocal
      ? ". macOS may be keeping macmeter from the local network: allow it under Privacy & Security > Local Network, or run it as root"
      : ""
    return TransportError(description: "cannot reach \(text): \(error)\(hint)")
  }

  /// Whether the host is on this machine's local network.
  var isLocal: Bool {
    let host = (URLComponents(string: text)?.host ?? "").lowercased().trimmingCharacters(in: ["[", "]"])
    guard !["localhost", "::1"].contains(host), !host.hasPrefix("127.") else { return false }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    if numbers.count == 4, let first = numbers[0], let second = numbers[1], !numbers.contains(nil) {
      return first == 10 || (first, second) == (192, 168) || (first, second) == (169, 254)
        || (first == 172 && (16...31).contains(second))
    }
    if host.contains(":") { return ["fe80:", "fc", "fd"].contains(where: host.hasPrefix) }
    return host.hasSuffix(".local") || !host.contains(".")
  }

  package func url(_ path: String) -> URL? { URL(string: text + path) }
}

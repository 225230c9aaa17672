import Foundation

/// A server's address as the user gave it: http or https, without query and closing slash.
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

  /// Whether a token sent there could be read on the way.
  package var isReadableOnTheWay: Bool {
    guard let parts = URLComponents(string: text), parts.scheme == "http" else { return false }
    return !["localhost", "127.0.0.1", "::1", "[::1]"].contains(parts.host ?? "")
  }

  package func url(_ path: String) -> URL? { URL(string: text + path) }
}

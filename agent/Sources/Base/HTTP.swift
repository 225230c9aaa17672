import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

package struct HTTPRequest: Sendable {
  package static let usualTimeout = 60.0

  package var method: String
  package var url: URL
  package var headers: [String: String]
  package var body: Data?
  /// Idle timeout in seconds.
  package var timeout: Double

  package init(
    _ method: String, _ url: URL, headers: [String: String] = [:], body: Data? = nil,
    timeout: Double = 60
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }

  /// Whether it is printable ASCII without spaces: anything else could break out of its header.
  package static func isHeaderSafe(_ token: String) -> Bool {
    !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}

package struct HTTPResponse: Sendable {
  package var status: Int
  /// Names are in lower case.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// "internal server error", for 500.
  package static func words(ofStatus status: Int) -> String {
    HTTPURLResponse.localizedString(forStatusCode: status).lowercased()
  }
}

/// Why there was no response.
package struct TransportError: Error, CustomStringConvertible {
  package var description: String
  /// The server responded, but its identity can't be trusted.
  package var isUntrusted = false
  /// What to do about it, if the server's answer says so.
  package var remedy: String?

  package init(description: String, isUntrusted: Bool = false, remedy: String? = nil) {
    self.description = description
    self.isUntrusted = isUntrusted
    self.remedy = remedy
  }
}

/// One request and its response. Redirects are not followed: the token must not reach another host.
/// Responses are cut at 1 MiB: nothing the agent requests is larger. A slow response hits an
/// overall deadline.
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private static let longestBody = 1 << 20
  /// Overall deadline of an exchange, as a multiple of the timeout.
  private static let patience = 5.0
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var response: HTTPURLResponse?
  private var body = Data()
  private var failure: (any Error)?

  static func perform(_ request: HTTPRequest, interrupted: () -> Bool) throws -> HTTPResponse {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = request.timeout
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    let exchange = HTTPExchange()
    let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var wire = URLRequest(url: request.url)
    wire.httpMethod = request.method
    wire.httpBody = request.body
    for (name, value) in request.headers { wire.setValue(value, forHTTPHeaderField: name) }
    session.dataTask(with: wire).resume()
    let end = DispatchTime.now() + request.timeout * patience
    while exchange.done.wait(timeout: .now() + 0.1) == .timedOut {
      if interrupted() { throw Interrupted() }
      if DispatchTime.now() > end { throw TransportError(description: "the server takes too long to answer") }
    }
    return try exchange.outcome()
  }

  private func outcome() throws -> HTTPResponse {
    lock.lock()
    defer { lock.unlock() }
    guard let response else { throw TransportError(failure) }
    var headers: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers[name.lowercased()] = value
    }
    return HTTPResponse(status: response.statusCode, headers: headers, body: body)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    lock.lock()
    self.response = response as? HTTPURLResponse
    lock.unlock()
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.lock()
    body.append(data.prefix(Self.longestBody - body.count))
    lock.unlock()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    lock.lock()
    failure = error
    if error != nil { response = nil }
    lock.unlock()
    done.signal()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

extension TransportError {
  /// Describe the error in our own words: the system's differ between platforms.
  package init(_ error: (any Error)?) {
    guard let error = error as? URLError else {
      self.init(description: error?.localizedDescription ?? "no answer")
      return
    }
    // Linux reports these only in the text, under varying codes.
    let words = error.localizedDescription
    if words.hasPrefix("SSL") || words.contains("certificate") {
      self.init(description: words, isUntrusted: true)
      return
    }
    switch error.code {
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
      self.init(description: "this machine does not trust its certificate", isUntrusted: true)
    case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
      self.init(description: "its certificate is not valid today, according to this machine's clock", isUntrusted: true)
    case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection:
      self.init(description: "could not establish a secure connection", isUntrusted: true)
    case .timedOut: self.init(description: "the server does not answer")
    case .cannotFindHost, .dnsLookupFailed: self.init(description: "there is no server with that name")
    case .cannotConnectToHost: self.init(description: "connection refused")
    case .notConnectedToInternet: self.init(description: "this machine is offline")
    case .networkConnectionLost: self.init(description: "the connection was lost")
    default: self.init(description: words)
    }
  }
}

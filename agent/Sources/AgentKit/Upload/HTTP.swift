import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

public struct HTTPRequest: Sendable {
  public var method: String
  public var url: URL
  public var headers: [String: String]
  public var body: Data?

  public init(_ method: String, _ url: URL, headers: [String: String] = [:], body: Data? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

public struct HTTPResponse: Sendable {
  public var status: Int
  /// Names in lower case.
  public var headers: [String: String]
  public var body: Data

  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why no answer came.
public struct TransportError: Error, CustomStringConvertible {
  public var description: String
}

/// One request and its answer. Redirects are not followed: the token must not wander to another
/// host. An answer beyond a mebibyte is cut: nothing the agent asks for is larger.
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private static let longestBody = 1 << 20
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var response: HTTPURLResponse?
  private var body = Data()
  private var failure: (any Error)?

  static func perform(
    _ request: HTTPRequest, timeout: Double = 60, interrupted: () -> Bool
  ) throws -> HTTPResponse {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
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
    while exchange.done.wait(timeout: .now() + 0.1) == .timedOut {
      if interrupted() { throw TransportError(description: "interrupted") }
    }
    return try exchange.outcome()
  }

  private func outcome() throws -> HTTPResponse {
    lock.lock()
    defer { lock.unlock() }
    guard let response else {
      let reason = (failure as NSError?)?.localizedDescription ?? "no answer"
      throw TransportError(description: reason)
    }
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

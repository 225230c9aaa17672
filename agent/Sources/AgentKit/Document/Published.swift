/// Where a published figure was printed.
public struct Citation: Codable, Equatable, Sendable {
  public var article: String
  public var title: String?
  public var author: String?
  public var publisher: String?
  public var published: String?
  public var row: String?
}

/// A ratio as printed; never multiplied into a speed.
public struct PublishedRatio: Codable, Equatable, Sendable {
  public var metric: Metric
  public var parameters: [String: Scalar]?
  public var value: Double
  public var of: [String: Scalar]
  public var to: [String: Scalar]
  public var qualifier: String?
  public var printed: String?
}

/// A range as printed; its ends stay apart.
public struct PublishedRange: Codable, Equatable, Sendable {
  public var metric: Metric
  public var parameters: [String: Scalar]?
  public var low: Double
  public var high: Double
  public var qualifier: String?
  public var printed: String?
}

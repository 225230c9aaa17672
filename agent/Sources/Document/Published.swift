/// The source of a published figure.
package struct Citation: Codable, Equatable, Sendable {
  package var article: String
  package var title: String?
  package var author: String?
  package var publisher: String?
  package var published: String?
  package var row: String?
}

/// A ratio as printed; never converted to a speed.
package struct PublishedRatio: Codable, Equatable, Sendable {
  package var metric: Metric
  package var parameters: [String: Scalar]?
  package var value: Double
  package var of: [String: Scalar]
  package var to: [String: Scalar]
  package var qualifier: String?
  package var printed: String?
}

/// A range as printed; its ends stay separate.
package struct PublishedRange: Codable, Equatable, Sendable {
  package var metric: Metric
  package var parameters: [String: Scalar]?
  package var low: Double
  package var high: Double
  package var qualifier: String?
  package var printed: String?
}

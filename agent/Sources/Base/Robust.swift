/// Robust summaries for the terminal. The server computes its own from the samples.
package enum Robust {
  /// nil if empty.
  package static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Quantile by linear interpolation; nil if empty.
  /// - Parameter sorted: values in ascending order.
  package static func quantile(_ sorted: [Double], _ share: Double) -> Double? {
    guard let last = sorted.last else { return nil }
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return last }
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
  }

  /// The mean without the lowest and highest fifth; nil if empty.
  package static func trimmedMean(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let cut = values.count / 5
    let kept = values.sorted().dropFirst(cut).dropLast(cut)
    return kept.reduce(0, +) / Double(kept.count)
  }

  /// Theil-Sen: the median slope of all pairs, and the median intercept for that slope. nil unless
  /// two points differ in x.
  package static func line(through points: [(x: Double, y: Double)]) -> (slope: Double, intercept: Double)? {
    var slopes: [Double] = []
    for (index, first) in points.enumerated() {
      for second in points[(index + 1)...] where second.x != first.x {
        slopes.append((second.y - first.y) / (second.x - first.x))
      }
    }
    guard let slope = median(slopes) else { return nil }
    guard let intercept = median(points.map { $0.y - slope * $0.x }) else { return nil }
    return (slope, intercept)
  }
}

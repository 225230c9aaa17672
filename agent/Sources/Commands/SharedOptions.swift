import Administration
import Base
import Foundation
import Measure

/// Options that several measuring commands take.
extension Invocation {
  /// "1..8", "4", "1,2,4" or a combination; nil if the option wasn't given.
  func numbers(_ name: String, in range: ClosedRange<Int>) throws -> [Int]? {
    guard let text = text(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> [Int]? in
      let ends = part.components(separatedBy: "..").map { Int($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last,
        range.contains(first), range.contains(last)
      else { return nil }
      return Array(first...last)
    }
    guard !numbers.contains(nil) else {
      throw UsageError("--\(name) takes numbers from \(range.lowerBound) to \(range.upperBound), such as \(range.lowerBound)..\(range.upperBound)")
    }
    return Set(numbers.compactMap { $0 }.joined()).sorted()
  }

  /// The seed given, or a random one.
  func seed(_ world: World) throws -> Int {
    let random = world.randomBytes(4).reduce(0) { $0 << 8 | Int($1) }
    return try integer("seed", in: 0...Int(UInt32.max)) ?? random
  }

  /// Bytes per transfer.
  func blockSize() throws -> Int {
    let blockSize = try bytes("block-size") ?? 1 << 20
    guard blockSize % Payload.pageSize == 0, (Payload.pageSize...(16 << 20)).contains(blockSize) else {
      throw UsageError("--block-size takes a multiple of 4 KiB up to 16 MiB")
    }
    return blockSize
  }

  /// --label and the labels of the preferences; nil if there are none.
  func labels(_ preferences: Preferences, _ world: World) throws -> [String: String]? {
    let names = world.privateNames()
    let given = try Labels.parse(texts("label"), privateNames: names) ?? [:]
    let labels = try preferences.labels(with: given, privateNames: names)
    return labels.isEmpty ? nil : labels
  }

  /// --qos: the quality of service that threads request.
  func qualities() throws -> [ThreadQuality] {
    switch text("qos") ?? "user-interactive" {
    case "user-interactive": [.userInteractive]
    case "background": [.background]
    case "both": ThreadQuality.allCases
    default: throw UsageError("--qos takes user-interactive, background or both")
    }
  }
}

extension Option {
  static let seed = Option(name: "seed", value: "N", help: "seed of the random order, to repeat a run (default: random)")
  static let blockSize = Option(
    name: "block-size", value: "SIZE", help: "bytes per transfer, a multiple of 4 KiB (default: 1 MiB)")
  static let qos = Option(
    name: "qos", value: "QUALITY",
    help: "user-interactive (fastest cores first), background (slowest cores) or both (default: user-interactive)")
}

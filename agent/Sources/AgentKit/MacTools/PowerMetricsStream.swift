import Foundation

/// Reads `powermetrics`' output as it comes, in pieces of any size: text, or property lists with a NUL
/// before each but the first. Holds one sample at a time.
public struct PowerMetricsStream {
  /// The Mac it was made on, as far as it has been read.
  public private(set) var machine = SampledMachine()
  /// Property lists that could not be read: cut off or damaged.
  public private(set) var damaged = 0

  private enum Form { case text, propertyLists }
  /// No sample is this long; one that claims to be is dropped.
  private static let longestDocument = 32 << 20

  private var form: Form?
  private var buffer: [UInt8] = []
  /// How far the buffer was searched in vain.
  private var searched = 0
  private var text = PowerMetricsText()

  public init() {}

  /// The samples that these bytes complete.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [PowerSample] {
    buffer.append(contentsOf: bytes)
    return samples()
  }

  /// The last sample, at the end of the output.
  public mutating func finish() -> [PowerSample] {
    buffer.append(UInt8(ascii: "\n"))
    var rest = samples()
    if form == .propertyLists {
      if buffer.contains(where: { $0 > 0x20 }) { damaged += 1 }
    } else {
      rest += text.finish().map { [$0] } ?? []
    }
    buffer = []
    return rest
  }

  /// All samples of a file somebody kept.
  public static func read(_ file: Data) -> (samples: [PowerSample], machine: SampledMachine, damaged: Int) {
    var stream = PowerMetricsStream()
    let samples = stream.take(file) + stream.finish()
    return (samples, stream.machine, stream.damaged)
  }

  private mutating func samples() -> [PowerSample] {
    if form == nil {
      guard let first = buffer.first(where: { $0 > 0x20 }) else { return [] }
      form = first == UInt8(ascii: "<") ? .propertyLists : .text
    }
    return form == .text ? readLines() : readDocuments()
  }

  private mutating func readLines() -> [PowerSample] {
    var samples: [PowerSample] = []
    var start = 0
    while let end = buffer[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: buffer[start..<end], as: UTF8.self)
      // Something was printed before the first property list, a password prompt perhaps.
      if line.hasPrefix("<?xml") || line.hasPrefix("\0<?xml") {
        form = .propertyLists
        forget(start)
        searched = 0
        return samples + readDocuments()
      }
      samples += text.take(line.drop { $0 == "\0" }.filter { $0 != "\r" }[...]).map { [$0] } ?? []
      start = end + 1
      searched = start
    }
    forget(start)
    machine = text.machine
    if buffer.count > Self.longestDocument { buffer = [] }
    searched = buffer.count
    return samples
  }

  /// Moving the rest of the buffer costs as much as it is long: only done when there is a reason.
  private mutating func forget(_ count: Int) {
    if count > 0 { buffer.removeFirst(count) }
  }

  private static let end = Array("</plist>".utf8)

  private mutating func readDocuments() -> [PowerSample] {
    var samples: [PowerSample] = []
    var start = 0
    while let end = documentEnd(startingAt: start) {
      let document = Data(buffer[start..<end].drop { $0 == 0 || $0 <= 0x20 })
      if let (sample, machine) = PowerMetricsPlist.read(document) {
        self.machine = machine
        if !sample.isEmpty { samples.append(sample) }
      } else if !document.isEmpty {
        damaged += 1
      }
      start = end
      searched = end
    }
    forget(start)
    searched = max(0, buffer.count - Self.end.count)
    if buffer.count > Self.longestDocument {
      damaged += 1
      buffer = []
      searched = 0
    }
    return samples
  }

  /// Just after the next "</plist>", or at the NUL that begins another document where this one was cut
  /// off. Always beyond the start.
  private func documentEnd(startingAt start: Int) -> Int? {
    var place = min(max(start, searched), buffer.count)
    while let next = buffer[place...].firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == 0 }) {
      if buffer[next] == 0 {
        if buffer[start..<next].contains(where: { $0 > 0x20 }) { return next }
      } else if buffer[next...].starts(with: Self.end) {
        return next + Self.end.count
      }
      place = next + 1
    }
    return nil
  }
}

import Foundation

/// A streaming reader for `powermetrics` output, in chunks of any size: text, or property lists
/// with a NUL before each except the first. It holds one sample at a time.
package struct PowerMetricsStream {
  /// Consecutive recordings read so far; never empty.
  package private(set) var recordings = [SampledRecording()]
  /// The Mac of the last recording.
  package var machine: SampledMachine { recordings[recordings.count - 1].machine }
  /// Number of unreadable property lists: truncated or damaged.
  package private(set) var damaged = 0
  /// Whether the output ends within a sample; known at its end.
  package private(set) var endsEarly = false
  /// Whether this is certainly powermetrics output, even without samples.
  package private(set) var isCertain = false
  /// Whether the text begins within a sample, which is dropped because its length is unknown.
  package var beginsLate: Bool { text.beginsLate || documentsBeginLate }

  private enum Form { case text, propertyLists }
  /// No sample is this long; one that claims to be is dropped.
  private static let longestDocument = 8 << 20

  private var form: Form?
  private var buffer: [UInt8] = []
  /// Length of the buffer already searched without a match.
  private var searched = 0
  private var text = PowerMetricsText()
  /// Whether the first lines contain tags.
  private var hasTags = false
  private var documentsBeginLate = false
  /// Samples in property lists so far.
  private var count = 0

  package init() {}

  /// Take bytes and return the samples they complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [PowerSample] {
    buffer.append(contentsOf: bytes)
    return samples()
  }

  /// Return the last samples, at the end of the output.
  package mutating func finish() -> [PowerSample] {
    // An unterminated line may be cut off anywhere, even within a number.
    if form == .text, !PowerMetricsText.isWhole(lastLine: buffer) {
      endsEarly = true
      buffer = []
    }
    buffer.append(UInt8(ascii: "\n"))
    var rest = samples()
    if form == .propertyLists {
      if buffer.contains(where: { $0 > 0x20 }) {
        damaged += 1
        endsEarly = true
        isCertain = isCertain || Self.isOfSample(buffer[...])
      }
    } else {
      endsEarly = endsEarly || text.lacksReadings
      rest += text.finish().map { [$0] } ?? []
    }
    buffer = []
    return rest
  }

  /// All samples of a saved file.
  package static func read(_ file: Data) -> (samples: [PowerSample], machine: SampledMachine, damaged: Int) {
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
    var isDocument = false
    // Moved out while lines of the buffer are read, then back.
    var text = self.text
    self.text = PowerMetricsText()
    buffer.withUnsafeBytes { bytes in
      while !isDocument, let end = bytes.place(of: UInt8(ascii: "\n"), from: max(start, searched)) {
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end]).withoutPadding
        // Something was printed before the first property list, such as a password prompt; or this
        // is the rest of one whose start is missing.
        if let mark = line.place(of: Self.xml), let whole = bytes.baseAddress, let own = line.baseAddress {
          hasTags = hasTags || UnsafeRawBufferPointer(rebasing: line[..<mark]).hasTag
          isDocument = true
          start = own - whole + mark
          break
        }
        if !text.isCertain { hasTags = hasTags || line.hasTag }
        if let sample = text.take(line) { samples.append(sample) }
        start = end + 1
        searched = start
      }
    }
    self.text = text
    forget(start)
    if isDocument {
      form = .propertyLists
      documentsBeginLate = hasTags
      searched = 0
      return samples + readDocuments()
    }
    recordings = text.recordings
    isCertain = isCertain || text.isCertain
    if buffer.count > Self.longestDocument { buffer = [] }
    searched = buffer.count
    return samples
  }

  /// Drop bytes from the buffer. Moving the rest costs time proportional to its length, so do it
  /// only when needed.
  private mutating func forget(_ count: Int) {
    if count > 0 { buffer.removeFirst(count) }
  }

  private static let xml = Array("<?xml".utf8)
  private static let end = Array("</plist>".utf8)

  private mutating func readDocuments() -> [PowerSample] {
    var samples: [PowerSample] = []
    var start = 0
    while let end = documentEnd(startingAt: start) {
      let document = Data(buffer[start..<end].drop { $0 == 0 || $0 <= 0x20 })
      if let (sample, machine) = PowerMetricsPlist.read(document) {
        take(machine)
        isCertain = true
        if !sample.isEmpty {
          samples.append(sample)
          count += 1
        }
      } else if !document.isEmpty {
        damaged += 1
        isCertain = isCertain || Self.isOfSample(buffer[start..<end])
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

  /// Record a sample's Mac; a different one starts another recording.
  private mutating func take(_ machine: SampledMachine) {
    if count > 0, machine != self.machine { recordings.append(SampledRecording(firstSample: count)) }
    recordings[recordings.count - 1].machine = machine
  }

  /// Whether an unreadable document was a sample.
  private static func isOfSample(_ document: ArraySlice<UInt8>) -> Bool {
    String(decoding: document.prefix(4096), as: UTF8.self).contains("<key>elapsed_ns</key>")
  }

  /// The position after the next "</plist>", or at the NUL that starts another document if this one
  /// was cut off. Always beyond `start`.
  private func documentEnd(startingAt start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      var place = min(max(start, searched), bytes.count)
      while place < bytes.count {
        let zero = bytes.place(of: 0, from: place) ?? bytes.count
        while let next = bytes.place(of: UInt8(ascii: "<"), from: place), next < zero {
          if bytes[next...].starts(with: Self.end) { return next + Self.end.count }
          place = next + 1
        }
        if zero < bytes.count, bytes[start..<zero].contains(where: { $0 > 0x20 }) { return zero }
        place = zero + 1
      }
      return nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first position of these bytes.
  fileprivate func place(of bytes: [UInt8]) -> Int? {
    var start = 0
    while let hit = place(of: bytes[0], from: start) {
      if self[hit...].starts(with: bytes) { return hit }
      start = hit + 1
    }
    return nil
  }

  /// Whether it contains a tag or part of one.
  fileprivate var hasTag: Bool { place(of: UInt8(ascii: "<"), from: 0) != nil || place(of: UInt8(ascii: ">"), from: 0) != nil }

  /// The line without leading NULs and trailing carriage return.
  fileprivate var withoutPadding: UnsafeRawBufferPointer {
    var line = self[...]
    while line.first == 0 { line = line.dropFirst() }
    while line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return UnsafeRawBufferPointer(rebasing: line)
  }
}

import Foundation

extension RunDocument {
  /// The document's bytes, as stored and uploaded. Keys are sorted, so that a document always has
  /// the same bytes. Trace rows are written here: a trace may have 200,000, and the encoder would
  /// need a hundred bytes of memory per cell.
  package func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bare = self
    bare.traces = traces?.map { Trace(kind: $0.kind, interval: $0.interval, columns: $0.columns, rows: []) }
    let frame = try encoder.encode(bare)
    guard let traces, !traces.isEmpty else { return frame }
    var whole = Data()
    var place = frame.startIndex
    for trace in traces {
      // Never matches inside a string, whose quotation marks are escaped.
      guard let gap = frame.range(of: Self.noRows, in: place..<frame.endIndex) else { break }
      whole += frame[place..<(gap.upperBound - 1)]
      try TraceRows.write(trace.rows, to: &whole, encoder)
      place = gap.upperBound - 1
    }
    return whole + frame[place...]
  }

  private static let noRows = Data("\"rows\":[]".utf8)

  /// The document, formatted for reading.
  package func readable() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  package init(json: Data) throws {
    self = try JSONDecoder().decode(RunDocument.self, from: json)
  }
}

/// Trace rows as JSON, formatted as the encoder does.
private enum TraceRows {
  /// Write the rows without the outer brackets.
  static func write(_ rows: [[Scalar]], to data: inout Data, _ encoder: JSONEncoder) throws {
    // Cache of encoded cluster and phase names, which repeat.
    var texts: [String: [UInt8]] = [:]
    var line: [UInt8] = []
    for (number, row) in rows.enumerated() {
      line.removeAll(keepingCapacity: true)
      line += number == 0 ? "[".utf8 : ",[".utf8
      for (place, cell) in row.enumerated() {
        if place > 0 { line.append(UInt8(ascii: ",")) }
        try write(cell, to: &line, &texts, encoder)
      }
      line.append(UInt8(ascii: "]"))
      data.append(contentsOf: line)
    }
  }

  private static func write(
    _ cell: Scalar, to line: inout [UInt8], _ texts: inout [String: [UInt8]], _ encoder: JSONEncoder
  ) throws {
    switch cell {
    case .integer(let number): line += String(number).utf8
    case .boolean(let flag): line += (flag ? "true" : "false").utf8
    case .missing: line += "null".utf8
    case .number(let number) where number.isFinite:
      let text = number.description
      line += text.hasSuffix(".0") ? text.utf8.dropLast(2)[...] : text.utf8[...]
    case .text(let text):
      if texts[text] == nil { texts[text] = Array(try encoder.encode(text)) }
      line += texts[text] ?? []
    case .number: line += try encoder.encode(cell)
    }
  }
}

/// Sanitise outside text for a document: no control characters, at most 256 characters; nil if
/// nothing remains.
package func documentText(_ text: String?) -> String? {
  guard let text else { return nil }
  let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
  var kept = String(String.UnicodeScalarView(printable))
  while let last = kept.last, last.isWhitespace { kept.removeLast() }
  kept = String(kept.drop { $0.isWhitespace }.unicodeScalars.prefix(256))
  return kept.isEmpty ? nil : kept
}

/// Aligned columns of text.
struct TextTable {
  enum Alignment {
    case left, right
    /// At the decimal point, flush right.
    case decimal
  }

  var headings: [String]
  var alignments: [Alignment]
  var rows: [[String]] = []
  var gap = 3

  /// Lines without trailing spaces, headings first.
  func lines() -> [String] {
    let columns = headings.indices.map { column in
      Self.aligned(
        [headings[column]] + rows.map { column < $0.count ? $0[column] : "" }, alignments[column])
    }
    return (0...rows.count).map { row in
      let line = columns.map { $0[row] }.joined(separator: String(repeating: " ", count: gap))
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Columns, or a paragraph per row if they are wider than the terminal.
  func lines(within width: Int?) -> [String] {
    let columns = lines()
    guard let width, columns.contains(where: { $0.count > width }) else { return columns }
    let longest = headings.map(\.count).max() ?? 0
    return rows.flatMap { row in
      zip(headings, row).map { $0 + String(repeating: " ", count: longest - $0.count + 2) + $1 } + [""]
    }
  }

  /// - Parameter cells: the heading first.
  private static func aligned(_ cells: [String], _ alignment: Alignment) -> [String] {
    var cells = cells
    if alignment == .decimal {
      let places = cells.dropFirst().map(placesAfterPoint).max() ?? 0
      for index in cells.indices.dropFirst() where !cells[index].isEmpty {
        cells[index] += String(repeating: " ", count: places - placesAfterPoint(cells[index]))
      }
    }
    let width = cells.map(\.count).max() ?? 0
    return cells.map { cell in
      let padding = String(repeating: " ", count: width - cell.count)
      return alignment == .left ? cell + padding : padding + cell
    }
  }

  /// Characters from the decimal point on.
  private static func placesAfterPoint(_ cell: String) -> Int {
    guard let point = cell.firstIndex(of: ".") else { return 0 }
    return cell.distance(from: point, to: cell.endIndex)
  }
}

/// Byte counts as people write them: "4096", "64K", "1M", "1MiB" (binary), "20GB" (decimal).
package enum ByteCount {
  /// nil if invalid, zero or above 1000 TB.
  package static func read(_ text: String) -> Int? {
    let digits = text.prefix { $0.isNumber }
    guard let number = Int(digits), number > 0 else { return nil }
    let scales: [String: Int] = [
      "": 1, "B": 1, "K": 1 << 10, "KIB": 1 << 10, "M": 1 << 20, "MIB": 1 << 20, "G": 1 << 30,
      "GIB": 1 << 30, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ]
    guard let scale = scales[text.dropFirst(digits.count).uppercased()] else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    // A thousand times the limit still fits in an Int.
    return overflow || bytes > 1_000_000_000_000_000 ? nil : bytes
  }
}

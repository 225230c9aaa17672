import Foundation

/// The items of one data type in `system_profiler`'s output, from `-json` (a dictionary by data type)
/// or `-xml` (a list of reports).
enum ProfilerItems {
  /// nil where the output is unreadable or does not hold this data type; an empty list where the
  /// Mac has nothing of it.
  static func read(_ type: String, in data: Data) -> [ToolValue]? {
    guard let value = ToolValue(data) else { return nil }
    return read(type, in: value)
  }

  static func read(_ type: String, in value: ToolValue) -> [ToolValue]? {
    if case .array(let items)? = value[type] { return items }
    for report in value.items where report["_dataType"]?.text == type {
      if case .array(let items)? = report["_items"] { return items }
    }
    return nil
  }
}

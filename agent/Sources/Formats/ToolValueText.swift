import Foundation

extension ToolValue {
  /// JSON with sorted keys.
  package func json(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .dictionary(let entries) where entries.isEmpty: return "{}"
    case .dictionary(let entries):
      let lines = entries.sorted { $0.key < $1.key }.map { inner + Self.quoted($0.key) + ": " + $0.value.json(indent: inner) }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    case .array(let items) where items.isEmpty: return "[]"
    case .array(let items):
      return "[\n" + items.map { inner + $0.json(indent: inner) }.joined(separator: ",\n") + "\n" + indent + "]"
    case .string(let text): return Self.quoted(text)
    case .int(let value): return String(value)
    case .double(let value): return "\(value)"
    case .bool(let value): return value ? "true" : "false"
    case .other, .date, .data: return "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case ..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// An XML property list.
  var propertyList: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(element(indent: ""))
    </plist>

    """
  }

  private func element(indent: String) -> String {
    let inner = indent + "\t"
    switch self {
    case .dictionary(let entries):
      let lines = entries.sorted { $0.key < $1.key }
        .flatMap { ["\(inner)<key>\(Self.escaped($0.key))</key>", $0.value.element(indent: inner)] }
      return ([indent + "<dict>"] + lines + [indent + "</dict>"]).joined(separator: "\n")
    case .array(let items):
      return ([indent + "<array>"] + items.map { $0.element(indent: inner) } + [indent + "</array>"]).joined(separator: "\n")
    case .string(let text): return "\(indent)<string>\(Self.escaped(text))</string>"
    case .int(let value): return "\(indent)<integer>\(value)</integer>"
    case .double(let value): return "\(indent)<real>\(value)</real>"
    case .bool(let value): return "\(indent)<\(value)/>"
    case .date: return "\(indent)<date>2001-01-01T00:00:00Z</date>"
    case .other, .data: return "\(indent)<data></data>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}

import Base
import Foundation

/// This program's own path, for jobs that start it.
package enum ProgramFile {
  /// - Throws: if it can't be found.
  package static func path(_ world: World) throws -> String {
    let name = world.environment["MACMETER_PROGRAM"] ?? CommandLine.arguments.first ?? "macmeter"
    if name.contains("/") {
      let whole = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
      if access(whole, X_OK) == 0 { return (whole as NSString).standardizingPath }
    } else {
      let folders = (world.environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
      for folder in folders where access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
    }
    throw StateError("cannot find this program's own file: start it with its full path")
  }
}

import Base
import Document
import Foundation

/// The directory of the agent's state: its identity, its server, its spool. Readable only by its
/// owner.
package struct StateDirectory: Sendable {
  package let path: String

  /// Location of the state: `MACMETER_HOME`, otherwise the platform's default.
  package static func location(_ environment: [String: String]) throws -> String {
    if let chosen = environment["MACMETER_HOME"], !chosen.isEmpty { return absolute(chosen) }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw StateError("no home directory: set HOME or MACMETER_HOME")
    }
    return usualPlace(home: home, environment)
  }

  /// Open it, creating what is missing.
  package init(_ environment: [String: String]) throws {
    path = try Self.location(environment)
    try Self.makeDirectory(path)
    for folder in Folder.allCases { try Self.makeDirectory(path + "/" + folder.rawValue) }
  }

  private init(path: String) { self.path = path }

  /// The existing directory; creates nothing.
  package static func existing(_ environment: [String: String]) throws -> StateDirectory? {
    let path = try location(environment)
    return access(path, F_OK) == 0 ? StateDirectory(path: path) : nil
  }

  /// The state of replayed Macs, beside the default one.
  package static func ofReplays(_ environment: [String: String]) throws -> StateDirectory? {
    guard environment["MACMETER_HOME"] ?? "" == "" else { return nil }
    return try existing(["MACMETER_HOME": try location(environment) + replays])
  }

  package static let replays = "-replay"

  /// Remove the agent's files, and the directory. Other files stay: MACMETER_HOME may name a
  /// directory that holds more.
  /// - Returns: the names that remain.
  package func removeEverything() -> [String] {
    for folder in Folder.allCases {
      for name in names(folder.rawValue) where Self.isOwn(name, in: folder) { unlink(path(folder, name)) }
      rmdir(path(folder.rawValue))
    }
    for name in names("") where Self.isOwn(name) { unlink(path(name)) }
    rmdir(path)
    return names("")
  }

  /// Remove temporary files of killed agents.
  package func removeTemporaries() {
    for folder in Folder.allCases {
      for name in names(folder.rawValue) where Self.isOwn(name, in: folder) && DurableFile.isAbandoned(name) {
        unlink(path(folder, name))
      }
    }
    for name in names("") where Self.isOwn(name) && DurableFile.isAbandoned(name) { unlink(path(name)) }
  }

  private static let files = [
    "identity.json", "enrolment.json", "template.json", "written.json", "scheduled.json", "measuring.lock", "upload.lock",
    "identity.lock", scheduleLog,
  ]

  /// Output of scheduled runs on macOS; systemd keeps its own log.
  package static let scheduleLog = "schedule.log"

  private static func isOwn(_ name: String) -> Bool { files.contains(DurableFile.whole(name) ?? name) }

  private static func isOwn(_ name: String, in folder: Folder) -> Bool {
    let whole = DurableFile.whole(name) ?? name
    let suffixes = folder == .scratch ? [""] : [".json", ".note"]
    return RunIdentifier.isValid(String(whole.prefix(36))) && suffixes.contains(String(whole.dropFirst(36)))
  }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  /// Runs by state, and the test directories of current runs.
  package enum Folder: String, CaseIterable {
    case pending, sent, quarantined, scratch
  }

  package func path(_ name: String) -> String { path + "/" + name }
  package func path(_ folder: Folder, _ name: String) -> String { path + "/\(folder.rawValue)/" + name }

  private static func makeDirectory(_ path: String) throws {
    if access(path, F_OK) != 0 {
      let parent = (path as NSString).deletingLastPathComponent
      if !parent.isEmpty, access(parent, F_OK) != 0 { try makeDirectory(parent) }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw unusable("make", path) }
      Ownership.give(directory: path)
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else { throw unusable("use", path) }
  }

  private static func unusable(_ step: String, _ path: String) -> StateError {
    StateError(StateError.system(step, path).failure, remedy: "Make it writable for this user, or set MACMETER_HOME to another directory.")
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

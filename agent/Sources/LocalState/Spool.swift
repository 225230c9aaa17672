import Base
import Document
import Foundation

/// Runs on disk until the server has them, one directory per state. A document is stored as the
/// exact bytes to upload; it is in one state at a time, and moves by renaming.
///
/// A kill between the server's response and the move leaves the run pending. It is then sent again,
/// and the server replies that it has those bytes already. Nothing is lost or duplicated.
package struct Spool: Sendable {
  package let state: StateDirectory

  package init(state: StateDirectory) {
    self.state = state
  }

  /// Information about a run besides its document.
  package struct Note: Codable, Equatable, Sendable {
    package var reason: String?
    package var link: String?

    package init(reason: String? = nil, link: String? = nil) {
      self.reason = reason
      self.link = link
    }
  }

  package struct Entry: Equatable, Sendable {
    package var id: String
    package var state: RunFate
    package var note: Note

    package init(id: String, state: RunFate, note: Note) {
      self.id = id
      self.state = state
      self.note = note
    }
  }

  /// The state of a run.
  package enum RunFate: String, CaseIterable, Encodable, Sendable {
    case pending, sent, quarantined

    /// The state for users; "quarantine" means something else on the server.
    package var words: String {
      switch self {
      case .pending: "waiting for upload"
      case .sent: "uploaded"
      case .quarantined: "put aside"
      }
    }

    var folder: StateDirectory.Folder {
      switch self {
      case .pending: .pending
      case .sent: .sent
      case .quarantined: .quarantined
      }
    }
  }

  /// Add a run; durable on return.
  package func add(_ document: Data, id: String) throws {
    try DurableFile.write(document, to: path(id, .pending))
  }

  package func document(_ id: String, _ fate: RunFate) -> Data? { DurableFile.read(path(id, fate)) }

  /// Describe the damage to a run's file; nil if it is intact.
  package func damage(_ id: String, _ fate: RunFate) -> String? {
    let path = path(id, fate)
    guard let data = DurableFile.read(path) else { return StateError.system("read", path).failure }
    guard let head = try? JSONDecoder().decode(Head.self, from: data), head.id.lowercased() == id.lowercased() else {
      return data.isEmpty ? "\(path) is empty" : "\(path) is damaged: it is not a whole run"
    }
    return nil
  }

  private struct Head: Decodable { let id: String }

  /// Take in a run that was saved elsewhere, and remove it there.
  /// - Returns: its id.
  package func adopt(_ path: String, of machineID: String) throws -> String {
    guard let data = DurableFile.read(path) else { throw StateError.system("read", path) }
    guard let document = try? RunDocument(json: data), RunIdentifier.isValid(document.id) else {
      throw StateError("\(path) is not a run of this agent", remedy: "To add results of another tool, use `macmeter import`.")
    }
    guard document.machine.id == machineID else {
      throw StateError("\(path) was measured on another machine", remedy: "Upload it there.")
    }
    try add(data, id: document.id)
    unlink(path)
    return document.id
  }

  /// Save a run in the first of these directories that has room, under a descriptive name.
  /// - Returns: the file; nil if none has room.
  package static func keepElsewhere(_ document: Data, id: String, in directories: [String]) -> String? {
    directories.lazy.map { ($0 as NSString).appendingPathComponent("macmeter-run-\(id).json") }
      .first { (try? DurableFile.write(document, to: $0)) != nil }
  }

  /// Move a run to its next state, with a note. The note is written before the run is moved.
  package func move(_ id: String, to fate: RunFate, note: Note) throws {
    try store(note, id, fate)
    try DurableFile.move(path(id, .pending), to: path(id, fate))
    unlink(notePath(id, .pending))
  }

  /// Make a quarantined run pending again.
  package func requeue(_ id: String) throws {
    try DurableFile.move(path(id, .quarantined), to: path(id, .pending))
    unlink(notePath(id, .quarantined))
  }

  /// Record why a run is pending, on a best-effort basis.
  package func hold(_ id: String, reason: String) { try? store(Note(reason: reason), id, .pending) }

  /// Every run, oldest first: ids sort by time.
  package func entries(_ fates: [RunFate] = RunFate.allCases) -> [Entry] {
    fates.flatMap { fate in
      ids(fate).map { id in
        let note = DurableFile.read(notePath(id, fate))
          .flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
        return Entry(id: id, state: fate, note: note ?? Note())
      }
    }.sorted { $0.id < $1.id }
  }

  private func ids(_ fate: RunFate) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: state.path(fate.folder, ""))) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
      .filter(RunIdentifier.isValid)
  }

  private func store(_ note: Note, _ id: String, _ fate: RunFate) throws {
    try DurableFile.write(try JSONEncoder().encode(note), to: notePath(id, fate))
  }

  private func path(_ id: String, _ fate: RunFate) -> String { state.path(fate.folder, id + ".json") }
  private func notePath(_ id: String, _ fate: RunFate) -> String { state.path(fate.folder, id + ".note") }
}

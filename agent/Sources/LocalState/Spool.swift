import Base
import Document
import Foundation

/// Runs on disk until the server has them, one directory a state. A document is kept as the exact
/// bytes that are uploaded; it is in one state at any moment, and moves by renaming.
///
/// A kill between the server's answer and the move leaves the run pending; it is then sent again, and
/// the server answers that it has those very bytes. Nothing is lost, nothing is doubled.
package struct Spool: Sendable {
  package let state: StateDirectory

  package init(state: StateDirectory) {
    self.state = state
  }

  /// What is known about a run beside its document.
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

  /// What happened to a run.
  package enum RunFate: String, CaseIterable, Encodable, Sendable {
    case pending, sent, quarantined

    /// For people: a quarantine is something else to the server.
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

  /// Keeps a run; durable when it returns.
  package func add(_ document: Data, id: String) throws {
    try DurableFile.write(document, to: path(id, .pending))
  }

  package func document(_ id: String, _ fate: RunFate) -> Data? { DurableFile.read(path(id, fate)) }

  /// What is wrong with a run's file; nil where it is whole.
  package func damage(_ id: String, _ fate: RunFate) -> String? {
    let path = path(id, fate)
    guard let data = DurableFile.read(path) else { return StateError.system("read", path).failure }
    guard let head = try? JSONDecoder().decode(Head.self, from: data), head.id.lowercased() == id.lowercased() else {
      return data.isEmpty ? "\(path) is empty" : "\(path) is damaged: it is not a whole run"
    }
    return nil
  }

  private struct Head: Decodable { let id: String }

  /// Takes in a run that was kept elsewhere, and removes it there.
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

  /// Keeps a run in the first of these directories that has room, under a name that says what it is.
  /// - Returns: the file; nil where none has room.
  package static func keepElsewhere(_ document: Data, id: String, in directories: [String]) -> String? {
    directories.lazy.map { ($0 as NSString).appendingPathComponent("macmeter-run-\(id).json") }
      .first { (try? DurableFile.write(document, to: $0)) != nil }
  }

  /// Moves a run on, with a note. The note is in place before the run.
  package func move(_ id: String, to fate: RunFate, note: Note) throws {
    try store(note, id, fate)
    try DurableFile.move(path(id, .pending), to: path(id, fate))
    unlink(notePath(id, .pending))
  }

  /// Brings a run that was put aside back among the pending.
  package func requeue(_ id: String) throws {
    try DurableFile.move(path(id, .quarantined), to: path(id, .pending))
    unlink(notePath(id, .quarantined))
  }

  /// Says why a run is pending. It is so without these words too.
  package func hold(_ id: String, reason: String) { try? store(Note(reason: reason), id, .pending) }

  /// Every run, oldest first: ids order by time.
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

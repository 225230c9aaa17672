import Foundation
import TestSupport
import Testing

@testable import Base
@testable import LocalState

@Suite struct StateTests {
  let home: TemporaryDirectory
  let state: StateDirectory
  let world = World.real([:])
  let id = "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b"

  init() throws {
    home = try TemporaryDirectory()
    state = try StateDirectory(["MACMETER_HOME": home.path + "/state"])
  }

  func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("state is readable by its owner alone")
  func privacy() throws {
    _ = try Identity.load(state, identifiers: [:], world: world)
    try Enrolment(server: "https://example.org", token: "secret", machineID: id).store(state)
    try Spool(state: state).add(Data("{}".utf8), id: id)
    #expect(try permissions(state.path) == 0o700)
    for file in ["identity.json", "enrolment.json", "pending/\(id).json"] {
      #expect(try permissions(state.path(file)) == 0o600)
    }
  }

  @Test("what root makes in a user's state is that user's; a second name of a root's file is not given away", .enabled(if: geteuid() == 0))
  func sudo() throws {
    let user: uid_t = 12345
    #expect(chown(home.path, user, user) == 0)
    func owner(_ path: String) -> UInt32? { (try? FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? NSNumber)?.uint32Value }
    let state = try StateDirectory(["MACMETER_HOME": home.path + "/theirs/state"])
    try Spool(state: state).add(Data("{}".utf8), id: id)
    let lock = FileLock(state.path("upload.lock"))
    for path in ["", "pending", "pending/\(id).json", "upload.lock"] { #expect(owner(state.path(path)) == user, "\(path)") }
    _ = lock
    let precious = try home.write("precious", to: "precious")
    #expect(link(precious, state.path("measuring.lock")) == 0)
    _ = FileLock(state.path("measuring.lock"))
    #expect(owner(precious) == 0)
  }

  @Test("the identity stays while the machine is the same")
  func stable() throws {
    let first = try Identity.load(state, identifiers: ["machine-id": "a"], world: world)
    let second = try Identity.load(state, identifiers: ["machine-id": "a"], world: world)
    #expect(first.identity == second.identity)
    #expect(second.replaced == nil)
    let text = try String(contentsOfFile: state.path("identity.json"), encoding: .utf8)
    #expect(!text.contains("\"a\""))
  }

  @Test("a copy on another machine gets an identity of its own")
  func clone() throws {
    let original = try Identity.load(state, identifiers: ["machine-id": "a"], world: world).identity
    let clone = try Identity.load(state, identifiers: ["machine-id": "b"], world: world)
    #expect(clone.identity.machineID != original.machineID)
    #expect(clone.replaced == original.machineID)
  }

  @Test("a clone that is killed before the original's runs are put aside puts them aside at its next start")
  func killedClone() throws {
    struct Killed: Error {}
    let original = try Identity.load(state, identifiers: ["machine-id": "a"], world: world).identity
    #expect(throws: Killed.self) {
      try Identity.load(state, identifiers: ["machine-id": "b"], world: world) { throw Killed() }
    }
    var asked = false
    let clone = try Identity.load(state, identifiers: ["machine-id": "b"], world: world) {
      asked = true
      // The new identity is written only after everything has been put aside.
      let kept = try Data(contentsOf: URL(fileURLWithPath: state.path("identity.json")))
      #expect(try JSONDecoder().decode(Identity.self, from: kept) == original)
    }
    #expect(asked)
    #expect(clone.replaced == original.machineID)
    let again = try Identity.load(state, identifiers: ["machine-id": "b"], world: world) { throw Killed() }
    #expect(again.identity == clone.identity)
  }

  @Test("agents that start at once on a new machine agree on its id")
  func atOnce() async throws {
    let ids = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask { [state, world] in try? Identity.load(state, identifiers: ["machine-id": "a"], world: world).identity.machineID }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1 && !ids.contains(nil))
  }

  @Test("an identifier that root alone may read does not look like another machine")
  func partlyReadable() throws {
    let user = try Identity.load(state, identifiers: ["machine-id": "a"], world: world).identity
    let root = try Identity.load(state, identifiers: ["machine-id": "a", "product-uuid": "p"], world: world).identity
    #expect(root.machineID == user.machineID)
    let again = try Identity.load(state, identifiers: ["machine-id": "a"], world: world).identity
    #expect(again.machineID == user.machineID)
    let clone = try Identity.load(state, identifiers: ["machine-id": "a", "product-uuid": "q"], world: world)
    #expect(clone.replaced == user.machineID)
  }

  @Test("runs move from state to state with their exact bytes and a note")
  func spool() throws {
    let spool = Spool(state: state)
    let bytes = Data(#"{"a":1}"#.utf8)
    try spool.add(bytes, id: id)
    #expect(spool.entries() == [Spool.Entry(id: id, state: .pending, note: Spool.Note())])
    try spool.hold(id, reason: "later")
    #expect(spool.entries().first?.note.reason == "later")
    try spool.move(id, to: .sent, note: Spool.Note(link: "https://example.org/runs/\(id)"))
    #expect(spool.document(id, .sent) == bytes)
    #expect(spool.document(id, .pending) == nil)
    #expect(spool.entries().map(\.state) == [.sent])
    #expect(spool.entries().first?.note.reason == nil)
  }

  @Test("half-written files of a killed process don't count as runs")
  func halfWritten() throws {
    try Data("{".utf8).write(to: URL(fileURLWithPath: state.path("pending/\(id).json.tmp-123")))
    #expect(Spool(state: state).entries().isEmpty)
  }

  @Test("a lock is held by one, and free again when its holder is gone")
  func lock() {
    var first = FileLock(state.path("lock"))
    #expect(first != nil)
    #expect(FileLock(state.path("lock")) == nil)
    first = nil
    #expect(FileLock(state.path("lock")) != nil)
    let directory = FileLock(home.path)
    #expect(directory != nil && FileLock(home.path) == nil)
  }

  @Test("HOME or MACMETER_HOME says where the state lies")
  func location() throws {
    #expect(try StateDirectory.location(["MACMETER_HOME": "/x", "HOME": "/h"]) == "/x")
    #expect(throws: StateError.self) { try StateDirectory.location([:]) }
    #if canImport(Darwin)
      #expect(try StateDirectory.location(["HOME": "/h"]) == "/h/Library/Application Support/Macmeter")
    #else
      #expect(try StateDirectory.location(["HOME": "/h"]) == "/h/.local/state/macmeter")
      #expect(try StateDirectory.location(["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/macmeter")
    #endif
  }
}

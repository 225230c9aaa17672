import Administration
import Base
import Document
import Foundation
import Imports
import LocalState
import Machine
import Measure

enum ImportCommand {
  static let command = Command(
    name: "import", abstract: "Import and upload results of other tools",
    otherNames: ["add", "load"], operands: "FILE…", maximumOperands: 1000,
    options: [
      Option(
        name: "format", value: "NAME",
        help: ImportedRuns.formats.joined(separator: ", ") + " (default: recognised)"),
      Option(name: "path", value: "PATH", help: "a directory on the measured storage"),
      Option(
        name: "machine", value: "WHOSE",
        help: "the measured machine: this, another machine's id, or unspecified (default: what the file says)"),
      Option(name: "name", value: "NAME", repeats: true, help: "name of a hyperfine command, in their order; repeatable"),
      Measuring.label,
      Option(name: "no-upload", help: "keep the runs for a later `macmeter upload`"),
      Command.json,
    ],
    discussion: """
      Reads sysbench fileio (text), fio (--output-format=json), hyperfine (--export-json), Geekbench (text
      or JSON), AmorphousDiskMark (Copy) and powermetrics (text or -f plist). FILE can be - for standard
      input. Names of files, jobs, volumes and processes and command lines are not kept. Importing the
      same file again changes nothing.

      A result counts as this machine's if the file names the same model or chip, or shows the same cores
      and clusters. If it names another Mac, or leaves out what its tool usually states, it counts as
      unspecified. fio, sysbench and hyperfine never name the machine: their results count as this
      machine's. --machine overrides all of this. Only a fleet's uploader token can upload results with
      another machine's id.

      A powermetrics recording may have any length. If it has more samples than a run can hold,
      neighbouring samples are averaged, and the run says how many.
      """
  ) { invocation, world in
    guard !invocation.operands.isEmpty else { throw UsageError("name the files to import") }
    let format = invocation.text("format")?.lowercased()
    if let format, !ImportedRuns.formats.contains(format) {
      throw UsageError("--format takes one of \(ImportedRuns.formats.joined(separator: ", "))")
    }
    let privateNames = world.privateNames()
    for name in invocation.texts("name") {
      guard let secret = Labels.privateName(in: name, privateNames) else { continue }
      throw UsageError("--name \(name) contains \(secret), the name of this user or host, and would be public")
    }
    let labels = try invocation.labels(Preferences.read(world), world)
    let path = try invocation.text("path").map { try InfoCommand.directory($0, world) }
    let session = try Session(world)
    let facts = MachineFacts.read(world)
    let asked = try ImportOwner.asked(invocation.text("machine"), own: session.identity.machineID)
    if path != nil, let asked {
      guard case .this = asked else {
        throw UsageError("--path is a directory on this machine; leave it out with --machine \(invocation.text("machine") ?? "")")
      }
    }
    let target = path.map { Target.probe($0, facts: facts, deviceKey: session.identity.keyBytes, world: world) }
    let documents = ImportedDocument(
      machineID: session.identity.machineID, facts: facts, target: target, labels: labels,
      asked: asked ?? (path == nil ? nil : .this(because: "--path is on it")))
    var kept: [String] = []
    var allRead = true
    for file in invocation.operands {
      do {
        let (runs, digest) = try read(file, format: format, invocation, world)
        kept += try keep((runs, digest), of: file, documents, session, invocation)
      } catch let stopped as Interrupted {
        throw stopped
      } catch {
        world.terminal.say("macmeter: \(file): \(error)")
        allRead = false
      }
    }
    let sent = kept.isEmpty ? .success : try Measuring.upload(kept, invocation, session)
    return allRead ? sent : .failure
  }

  /// Size in bytes from which progress is shown.
  private static let long = 8_000_000

  private static func read(
    _ file: String, format: String?, _ invocation: Invocation, _ world: World
  ) throws -> (runs: [ImportedRun], digest: [UInt8]) {
    let digest = StreamingDigest()
    let source = try ImportSource.file(file, world)
    let progress = ProgressLine(phases: 1, world: world)
    var read = 0
    var isLong = false
    defer { if isLong { progress.finish() } }
    let runs = try ImportedRuns.read(
      source.seen { bytes in
        bytes.withUnsafeBytes { digest.update($0) }
        read += bytes.count
        if isLong {
          progress.advance(bytes: bytes.count)
        } else if (source.size ?? read) > long {
          isLong = true
          progress.begin("Reading \(file == "-" ? "standard input" : file)", bytes: source.size ?? 0)
          progress.advance(bytes: read)
        }
      }, names: invocation.texts("name"), format: format)
    return (runs, digest.finish())
  }

  /// Whether this adds the storage or the machine to a run still waiting for upload.
  private static func completes(_ document: RunDocument, _ state: Spool.RunFate, _ spool: Spool) -> Bool {
    struct Kept: Decodable {
      var machine: MachineRecord
      var target: TargetRecord?
    }
    guard state == .pending, let data = spool.document(document.id, .pending),
      let kept = try? JSONDecoder().decode(Kept.self, from: data)
    else { return false }
    let isPlaced = kept.target == nil && document.target != nil
    return isPlaced || (kept.machine.unspecified == true && document.machine.unspecified != true)
  }

  /// Spool a file's runs and report what was read and what the file leaves open. Return the ids of
  /// new runs.
  private static func keep(
    _ read: (runs: [ImportedRun], digest: [UInt8]), of file: String, _ documents: ImportedDocument, _ session: Session,
    _ invocation: Invocation
  ) throws -> [String] {
    let spool = session.spool
    let terminal = session.world.terminal
    let before = Dictionary(spool.entries().map { ($0.id, $0.state) }) { first, _ in first }
    var news: [RunDocument] = []
    for (place, run) in read.runs.enumerated() {
      let document = try documents.make(run, digest: read.digest, place: place)
      if let state = before[document.id], !completes(document, state, spool) {
        terminal.say("\(file): already imported (\(state.words)): \(document.id)")
        continue
      }
      let bytes = try document.encoded()
      try spool.add(bytes, id: document.id)
      news.append(document)
      if invocation.has("json") { terminal.print(String(decoding: bytes, as: UTF8.self)) }
    }
    if !invocation.has("json"), !news.isEmpty {
      ImportReport.lines(news, of: read.runs, file: file, documents, terminal).forEach(terminal.print)
    }
    return news.map(\.id)
  }
}

import Foundation

enum ImportCommand {
  static let command = Command(
    name: "import", abstract: "Keep and upload what another tool measured", operands: "FILE…", maximumOperands: 1000,
    options: [
      Option(
        name: "format", value: "NAME",
        help: ImportedRuns.formats.joined(separator: ", ") + " (recognised unless told)"),
      Option(name: "path", value: "PATH", help: "a directory on the storage that was measured"),
      Option(name: "elsewhere", help: "it was measured on another machine than this one"),
      Option(name: "name", value: "NAME", repeats: true, help: "what to call hyperfine's commands, in their order; repeatable"),
      Measuring.label,
      Option(name: "no-upload", help: "keep the runs for a later `macmeter upload`"),
      Command.json,
    ],
    discussion: """
      Reads sysbench fileio (text), fio (--output-format=json), hyperfine (--export-json), Geekbench (text
      or JSON), AmorphousDiskMark (Copy) and powermetrics (text or -f plist); - reads standard input.
      Names of files, jobs, volumes and processes and command lines are not kept. Where the file does not
      say which machine it was made on, it is taken to be this one. The same file is never kept twice.
      """
  ) { invocation, world in
    guard !invocation.operands.isEmpty else { throw UsageError("name the files to import") }
    let format = invocation.text("format")?.lowercased()
    if let format, !ImportedRuns.formats.contains(format) {
      throw UsageError("--format takes one of \(ImportedRuns.formats.joined(separator: ", "))")
    }
    guard !invocation.has("path") || !invocation.has("elsewhere") else {
      throw UsageError("--path is a directory of this machine; leave it out with --elsewhere")
    }
    let privateNames = world.privateNames()
    for name in invocation.texts("name") {
      guard let secret = Labels.privateName(in: name, privateNames) else { continue }
      throw UsageError("--name \(name) contains \(secret), the name of this user or host, and would be public")
    }
    let labels = try Labels.of(invocation, Preferences.read(world), world)
    let path = try invocation.text("path").map { try InfoCommand.directory($0, world) }
    let session = try Session(world)
    let facts = MachineFacts.read(world)
    let target = path.map { Target.probe($0, facts: facts, deviceKey: session.identity.keyBytes, world: world) }
    let documents = ImportedDocument(
      session: session, facts: facts, target: target, labels: labels, isFromElsewhere: invocation.has("elsewhere"))
    var kept: [String] = []
    var allRead = true
    for file in invocation.operands {
      do {
        let data = try read(file, world)
        let runs = try ImportedRuns.read(data, names: invocation.texts("name"), format: format)
        kept += try keep(runs, digest: digest(data), of: file, documents, invocation)
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

  private static func read(_ file: String, _ world: World) throws -> Data {
    if file == "-" { return try StandardInput.whole(interrupted: world.interrupted) }
    guard let data = FileManager.default.contents(atPath: file) else { throw StateError("there is no such file, or it cannot be read") }
    return data
  }

  private static func digest(_ data: Data) -> [UInt8] {
    let digest = StreamingDigest()
    data.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  /// Whether a run that still waits is now told which storage it was measured on.
  private static func completes(_ document: RunDocument, _ state: Spool.RunFate, _ spool: Spool) -> Bool {
    guard state == .pending, document.target != nil, let data = spool.document(document.id, .pending) else { return false }
    return (try? RunDocument(json: data)).map { $0.target == nil } ?? false
  }

  /// Spools a file's runs and says what was read and what the file did not tell; the ids of those that
  /// were not kept before.
  private static func keep(
    _ runs: [ImportedRun], digest: [UInt8], of file: String, _ documents: ImportedDocument, _ invocation: Invocation
  ) throws -> [String] {
    let spool = documents.session.spool
    let terminal = documents.session.world.terminal
    let before = Dictionary(spool.entries().map { ($0.id, $0.state) }) { first, _ in first }
    var news: [RunDocument] = []
    for (place, run) in runs.enumerated() {
      let document = try documents.make(run, digest: digest, place: place)
      if let state = before[document.id], !completes(document, state, spool) {
        terminal.say("\(file): imported before, and \(state.rawValue): \(document.id)")
        continue
      }
      let bytes = try document.encoded()
      try spool.add(bytes, id: document.id)
      news.append(document)
      if invocation.has("json") { terminal.print(String(decoding: bytes, as: UTF8.self)) }
    }
    if !invocation.has("json"), !news.isEmpty {
      ImportReport.lines(news, of: runs, file: file, documents, terminal).forEach(terminal.print)
    }
    return news.map(\.id)
  }
}

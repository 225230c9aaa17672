import Administration
import Base
import Document
import LocalState
import Measure

enum RunsCommand {
  static let command = Command(
    name: "runs", abstract: "List the runs that this machine measured, or print one",
    otherNames: ["list", "ls", "history", "results", "log"], operands: "[RUN]", maximumOperands: 1,
    options: [
      Option(name: "written", help: "show instead how much the runs wrote each week"),
      Command.json,
    ],
    discussion: "RUN is a run's id, or the end of its address: prints every byte that was, or will be, uploaded."
  ) { invocation, world in
    let session = try Session(world)
    if invocation.has("written") { return try written(session, json: invocation.has("json")) }
    if let run = invocation.operands.first { return try show(run, session) }
    // Sort imported runs by when they were measured, not imported.
    let rows = session.spool.entries().map { Row($0, session.spool) }
      .sorted { ($0.when ?? "", $0.id) < ($1.when ?? "", $1.id) }
    if invocation.has("json") {
      world.terminal.print(try JSONText.of(rows))
      return .success
    }
    guard !rows.isEmpty else {
      world.terminal.say("No runs yet: `macmeter disk` measures one.")
      return .success
    }
    var table = TextTable(
      headings: ["When (UTC)", "Method", "Target", "Write GB/s", "Read GB/s", "State", "Run"],
      alignments: [.left, .left, .left, .decimal, .decimal, .left, .left])
    table.rows = rows.map { row in
      [
        row.when ?? "–", row.method ?? "–", row.target ?? "–",
        row.write.map(Figures.gigabytesPerSecond) ?? "–", row.read.map(Figures.gigabytesPerSecond) ?? "–",
        row.words, row.link ?? row.id,
      ]
    }
    table.lines(within: world.terminal.columns).forEach(world.terminal.print)
    return .success
  }

  /// Print a run's document as it is uploaded.
  private static func show(_ run: String, _ session: Session) throws -> ExitCode {
    let id = run.split(separator: "/").last.map { $0.lowercased() } ?? run
    guard let entry = session.spool.entries().first(where: { $0.id.lowercased() == id }),
      let document = session.spool.document(entry.id, entry.state)
    else { throw UsageError("this machine has no run \(run)") }
    session.world.terminal.print(String(decoding: document, as: UTF8.self))
    return .success
  }

  private static func written(_ session: Session, json: Bool) throws -> ExitCode {
    let terminal = session.world.terminal
    let weeks = try WrittenBytes(state: session.state).weeks()
    let limit = try Preferences.read(session.world).bytesPerWeek
    if json {
      terminal.print(try JSONText.of(weeks))
      return .success
    }
    guard !weeks.isEmpty else {
      terminal.say("No run has written anything yet.")
      return .success
    }
    var table = TextTable(headings: ["Week from", "Written"], alignments: [.left, .right])
    table.rows = weeks.map { [$0.monday, Figures.bytes($0.bytes)] }
    table.rows.append(["Total", Figures.bytes(weeks.map(\.bytes).reduce(0, +))])
    table.lines().forEach(terminal.print)
    if let limit { terminal.say("The preferences limit it to \(Figures.bytes(limit)) a week.") }
    return .success
  }

  /// One run in the list. Fields that are missing or unreadable are absent.
  private struct Row: Encodable {
    let id: String
    let state: Spool.RunFate
    let reason: String?
    let link: String?
    let when: String?
    let suite: String?
    let method: String?
    let target: String?
    let complete: Bool?
    let write: Double?
    let read: Double?

    init(_ entry: Spool.Entry, _ spool: Spool) {
      let document = spool.document(entry.id, entry.state).flatMap { try? RunDocument(json: $0) }
      id = entry.id
      state = entry.state
      reason = (entry.state == .pending ? spool.damage(entry.id, .pending) : nil) ?? entry.note.reason
      link = entry.note.link
      when = (document?.startedAt ?? document?.finishedAt)?.dayAndMinute
      suite = document?.suite
      method = document?.method.name
      target = document?.target.map(RunReport.targetLine)
      complete = document.map { $0.state == .complete }
      write = Self.average(.diskWriteAverage, document)
      read = Self.average(.diskReadAverage, document)
    }

    var words: String {
      let state = complete == false ? "\(state.words), incomplete" : state.words
      return reason.map { "\(state): \($0)" } ?? state
    }

    private static func average(_ metric: Metric, _ document: RunDocument?) -> Double? {
      document?.series.first { $0.metric == metric }.flatMap { Robust.median($0.values) }
    }
  }
}

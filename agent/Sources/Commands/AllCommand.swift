import Base
import Document
import Machine

enum AllCommand {
  static let command = Command(
    name: "all", abstract: "Run every suite that this machine supports, one after another",
    otherNames: ["run", "measure", "bench", "benchmark", "start"],
    operands: "[PATH]", maximumOperands: 1,
    options: [
      Option(name: "quick", help: "smoke test of every suite, not combined with full runs"),
      .seed,
    ] + Measuring.options,
    discussion: """
      Runs disk, latency, hash, compression and cores on PATH (default: the current directory), and power
      on a Mac as root. Before it starts, it shows how much it will write and how long it takes. If a suite
      fails, the next one still runs. Ctrl-C stops all of them.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world, carriesOn: true)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    try plan(
      ["all"], invocation.operands.first ?? ".", isQuick: invocation.has("quick"),
      seed: invocation.text("seed"), world)
  }

  /// Plan these suites, or every one that this machine supports.
  static func plan(
    _ suites: [String], _ path: String, isQuick: Bool, seed: String? = nil, _ world: World
  ) throws -> [PlannedRun] {
    let quick = isQuick ? ["--quick"] : []
    let passed = (seed.map { ["--seed", $0] } ?? []) + quick
    let isAll = suites.contains("all")
    func planned(
      _ command: Command, _ plan: (Invocation, World) throws -> [PlannedRun], _ arguments: [String]
    ) throws -> [PlannedRun] {
      try plan(try Invocation(arguments + passed, for: command), world)
    }
    func isWanted(_ suite: String) -> Bool { isAll || suites.contains(suite) }
    let facts = MachineFacts.read(world)
    // A recording may not include this answer.
    let samples = PowerAccess.obstacle(facts, world) == nil && !world.isSimulated
    return try [
      isWanted("disk") ? planned(DiskCommand.command, DiskCommand.plan, [path]) : [],
      isAll ? planned(DiskCommand.command, DiskCommand.plan, [path, "--method", "latency"]) : [],
      isWanted("hash") ? planned(HashCommand.command, HashCommand.plan, [path]) : [],
      isWanted("compress") ? planned(CompressCommand.command, CompressCommand.plan, [path]) : [],
      isWanted("cores") ? planned(CoresCommand.command, CoresCommand.plan, []) : [],
      isWanted("power") && samples
        ? [PowerCommand.plan(Invocation(quick, for: PowerCommand.command), facts)] : [],
    ].flatMap { $0 }
  }
}

import Base
import Document
import Machine

enum AllCommand {
  static let command = Command(
    name: "all", abstract: "Measure everything that this machine can, one suite after another",
    operands: "[PATH]", maximumOperands: 1,
    options: [
      Option(name: "quick", help: "every suite as a smoke test, with series of their own"),
      .seed,
    ] + Measuring.options,
    discussion: """
      Disk, latency, hash, compression and cores, on PATH (the present directory unless told), and as root
      on a Mac power. All bytes and the time are said beforehand. A suite that fails is said and the next
      one goes on; Ctrl-C stops all of them.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world, carriesOn: true)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    let path = invocation.operands.first ?? "."
    let quick = invocation.has("quick") ? ["--quick"] : []
    let passed = (invocation.text("seed").map { ["--seed", $0] } ?? []) + quick
    func planned(
      _ command: Command, _ plan: (Invocation, World) throws -> [PlannedRun], _ arguments: [String]
    ) throws -> [PlannedRun] {
      try plan(try Invocation(arguments + passed, for: command), world)
    }
    let facts = MachineFacts.read(world)
    // A replayed Mac answers what was asked of it when it was recorded, which need not be this.
    let samples = PowerAccess.obstacle(facts, world) == nil && !world.isSimulated
    return try [
      planned(DiskCommand.command, DiskCommand.plan, [path]),
      planned(DiskCommand.command, DiskCommand.plan, [path, "--method", "latency"]),
      planned(HashCommand.command, HashCommand.plan, [path]),
      planned(CompressCommand.command, CompressCommand.plan, [path]),
      planned(CoresCommand.command, CoresCommand.plan, []),
      samples ? [PowerCommand.plan(Invocation(quick, for: PowerCommand.command), facts)] : [],
    ].flatMap { $0 }
  }
}

enum DiskCommand {
  static let command = Command(
    name: "disk", abstract: "Measure how fast a directory's storage writes and reads",
    operands: "[PATH]", maximumOperands: 1, options: DiskRequest.planOptions + Measuring.options,
    discussion: """
      Writes files of graded sizes in PATH (the present directory unless told), empties the cache,
      checks that it is empty, reads them back and removes them. Data goes past the cache; what it
      cannot go past is said. Nothing in PATH but the agent's own test directory is touched.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    try DiskRequest(invocation, world).plannedRuns
  }
}

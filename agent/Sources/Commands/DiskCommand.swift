import Base

enum DiskCommand {
  static let command = Command(
    name: "disk", abstract: "Measure how fast a directory's storage writes and reads",
    operands: "[PATH…]", maximumOperands: 16,
    options: DiskMethods.options + DiskRequest.planOptions + Measuring.options,
    discussion: """
      Writes files of graded sizes in PATH (the present directory unless told), empties the cache,
      checks that it is empty, reads them back and removes them. Data goes past the cache; what it
      cannot go past is said. Nothing in PATH but the agent's own test directory is touched.

      \(DiskMethods.discussion)
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    try DiskMethods(invocation: invocation, world: world).runs(DiskMethods.name(invocation))
  }
}

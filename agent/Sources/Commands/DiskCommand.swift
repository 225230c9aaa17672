import Base

enum DiskCommand {
  static let command = Command(
    name: "disk", abstract: "Measure the write and read speed of a directory's storage",
    otherNames: ["storage", "ssd", "drive"],
    operands: "[PATH…]", maximumOperands: 16,
    options: DiskMethods.options + DiskRequest.planOptions + Measuring.options,
    discussion: """
      Writes files of increasing sizes to PATH (default: the current directory), empties the cache and
      checks that it is empty, reads the files back and removes them. Transfers bypass the cache; where
      that is not possible, a warning says so. Nothing else in PATH is touched.

      \(DiskMethods.discussion)
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    try DiskMethods(invocation: invocation, world: world).runs(DiskMethods.name(invocation))
  }
}

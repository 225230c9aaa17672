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

      Other methods: stream-read reads one large file from start to end; sustained-write writes
      without a rest, second by second, to see past the drive's fast cache; latency transfers 4 KiB at
      random places; simultaneous measures several PATHs at once, as behind a dock.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    let methods = DiskMethods(invocation: invocation, world: world)
    return switch try DiskMethods.name(invocation) {
    case .gradedFiles: try DiskRequest(invocation, world).plannedRuns
    case .streamRead: [try methods.streamRead()]
    case .sustainedWrite: [try methods.sustainedWrite()]
    case .latency: [try methods.latency()]
    case .simultaneous: [try methods.simultaneous()]
    }
  }
}

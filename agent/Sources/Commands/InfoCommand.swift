import Base
import Document
import Foundation
import LocalState
import Machine

enum InfoCommand {
  static let command = Command(
    name: "info", abstract: "Show what the agent knows about this machine and a directory's storage",
    otherNames: ["status", "show", "about", "system"],
    operands: "[PATH]", maximumOperands: 1, options: [Command.json]
  ) { invocation, world in
    let session = try Session(world)
    let facts = MachineFacts.read(world)
    let path = try directory(invocation.operands.first ?? ".", world)
    let target = Target.probe(path, facts: facts, deviceKey: session.identity.keyBytes, world: world)
    let warnings = Preflight.warnings(facts, target: target)
    if invocation.has("json") {
      let information = Information(
        agent: facts.agent, machine: facts.record(id: session.identity.machineID),
        environment: facts.environment, target: target, warnings: warnings)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      world.terminal.print(String(decoding: try encoder.encode(information), as: UTF8.self))
      return .success
    }
    let rows = try lines(facts, target, session, path: path)
    var table = TextTable(headings: ["", ""], alignments: [.left, .left])
    table.rows = rows.compactMap { name, value in value.map { [name, $0] } }
    for line in table.lines().dropFirst() { world.terminal.print(line) }
    RunReport.warningLines(warnings, emphasis: world.terminal.bold).forEach(world.terminal.print)
    return .success
  }

  private struct Information: Encodable {
    let agent: AgentRecord
    let machine: MachineRecord
    let environment: EnvironmentRecord
    let target: TargetRecord
    let warnings: [Warning]
  }

  private static func lines(
    _ facts: MachineFacts, _ target: TargetRecord, _ session: Session, path: String
  ) throws -> [(String, String?)] {
    let environment = facts.environment
    let sources = ["ac": "mains", "ups": "UPS"]
    let modes = ["low": "Low Power Mode", "high": "High Power Mode", "automatic": "automatic"]
    let power = [
      environment.powerSource.map { sources[$0] ?? $0 }, environment.powerMode.map { modes[$0] ?? $0 },
      environment.thermalState.map { "thermal state \($0)" }, facts.limits,
    ].compactMap { $0 }
    let isMac = facts.platform?.hasPrefix(SystemKind.macOS.rawValue) == true
    let system = [environment.osVersion.map { isMac ? "macOS " + $0 : $0 }, environment.osBuild.map { "(\($0))" }]
      .compactMap { $0 }.joined(separator: " ")
    let chip = [facts.chip, facts.gpuCores.map { "\($0) GPU cores" }].compactMap { $0 }.joined(separator: ", ")
    let guest = environment.virtualMachine.map { guest in
      [guest.software, guest.vcpus.map { "\($0) vCPUs" }].compactMap { $0 }.joined(separator: ", ")
    }
    return try [
      ("Machine", facts.modelName ?? facts.model),
      ("Chip", chip.isEmpty ? nil : chip),
      ("Cores", facts.coreTiers.map { $0.map(cores).joined(separator: ", ") }),
      ("Memory", facts.memoryBytes.map { "\($0 / (1 << 30)) GiB" }),
      ("System", system.isEmpty ? nil : system),
      ("Power", power.isEmpty ? nil : power.joined(separator: ", ")),
      ("Virtual machine", guest.map { $0.isEmpty ? "yes" : $0 }),
      ("Directory", path),
      ("Storage", RunReport.targetLine(target)),
      ("Free", space(target)),
      ("Machine id", session.identity.machineID),
      ("Server", session.enrolment?.server ?? "none; `macmeter enroll` adds one"),
      ("Agent", [Program.version, facts.platform].compactMap { $0 }.joined(separator: ", ")),
    ]
  }

  private static func cores(_ tier: CoreTier) -> String {
    let frequency = tier.maxFrequency.map { " (\(Figures.fixed($0 / 1e9, 2)) GHz)" } ?? ""
    return "\(tier.cores) \(tier.name)" + frequency
  }

  private static func space(_ target: TargetRecord) -> String? {
    guard let free = target.freeBytes, let capacity = target.capacityBytes else { return nil }
    return "\(Figures.bytes(free)) of \(Figures.bytes(capacity))"
  }

  /// The absolute path of a directory the user named.
  /// - Throws: a usage error if it isn't a directory.
  static func directory(_ path: String, _ world: World) throws -> String {
    guard !path.isEmpty else { throw UsageError("PATH is empty; use . for the current directory") }
    guard let resolved = world.resolve(path) else { throw UsageError("there is no directory \(path)") }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: resolved, isDirectory: &isDirectory), isDirectory.boolValue
    else { throw UsageError("\(path) is not a directory") }
    return resolved
  }
}

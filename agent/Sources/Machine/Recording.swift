import Base
import Document
import Formats
import Foundation
import MacTools

/// The output of the tools that the agent runs on a Mac, saved as a directory for MACMETER_REPLAY.
/// Everything that no reader reads is replaced, and nothing is written if a name known to this Mac
/// remains.
package enum Recording {
  package static func make(in directory: String, of path: String, _ world: World) throws {
    guard world.system == .macOS else {
      throw StateError("--record saves the output of a Mac's tools; this is not a Mac")
    }
    guard !FileManager.default.fileExists(atPath: directory + "/" + Replay.listName) else {
      throw StateError("\(directory) already has a recording; name a new directory")
    }
    let answers = Answers()
    var asking = world
    asking.run = { [run = world.run] tool, arguments, input in
      let answer = run(tool, arguments, input)
      if let answer { answers.add([tool] + arguments, answer) }
      return answer
    }
    let facts = MachineFacts.read(asking)
    let target = Target.probe(path, facts: facts, deviceKey: [], world: asking)
    let isGuest = facts.environment.virtualMachine != nil
    let privateNames = world.privateNames() + (isGuest ? guestsDisks(answers.all.map(\.result.output)) : [])
    let models = answers.all.compactMap { DiskInformation.read($0.result.output)?.model }
    let files = try files(answers.all, path: path, StandIns(privateNames: privateNames, models: models))
    let names = knownNames(answers.all, path: path, world)
    for file in files {
      guard let kind = names.found(in: searched(file), besides: told(facts, target)) else { continue }
      throw StateError(
        "nothing was written: \(file.name) would contain \(kind.rawValue). Please report this with the kind of Mac and storage, but without the name.")
    }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw StateError("cannot make \(directory): \(error.localizedDescription)")
    }
    for file in files { try DurableFile.write(file.content, to: directory + "/" + file.name) }
    try compare(facts, target, directory, path, world)
  }

  /// Models of a guest's disks, which may be named after the virtual machine by its owner.
  private static func guestsDisks(_ answers: [Data]) -> [String] {
    let models = answers.flatMap { answer in
      [DiskInformation.read(answer)?.model] + (DriveProfile.read(answer)?.drives ?? []).map(\.model)
    }
    return models.compactMap { $0 }.filter { !MacStorage.isFrameworks($0) }
  }

  private struct File {
    let name: String
    let content: Data
  }

  private static func files(
    _ answers: [(command: [String], result: ToolResult)], path: String, _ names: StandIns
  ) throws -> [File] {
    var files: [File] = []
    var entries: [Entry] = []
    for (index, answer) in answers.enumerated() {
      let number = String(index + 1)
      let tool = answer.command.first { !$0.isEmpty } ?? "tool"
      let name = String(repeating: "0", count: max(0, 2 - number.count)) + number + "_" + tool + ".txt"
      let command = answer.command.map { word in
        word == path ? Replay.anyPath : word.hasPrefix("/") ? names.path(word) : word
      }
      files.append(File(name: name, content: recorded(answer.result.output, of: answer.command, names)))
      entries.append(Entry(command: command, file: name, exit: answer.result.status))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return files + [File(name: Replay.listName, content: try encoder.encode(entries))]
  }

  private struct Entry: Encodable {
    let command: [String]
    let file: String
    let exit: Int32
  }

  static func recorded(_ output: Data, of command: [String], _ names: StandIns) -> Data {
    command.first == "head" ? ImageDescription.recorded(header: output) : Recorded.of(command).kept(output, names)
  }

  /// Gather names from all output, and from tools that a recording doesn't include.
  private static func knownNames(_ answers: [(command: [String], result: ToolResult)], path: String, _ world: World) -> KnownNames {
    var names = KnownNames(privateNames: world.privateNames())
    for name in world.list("/Users") { names.add(name, .user) }
    for name in world.list("/Volumes") { names.add(name, .volume) }
    let others = [
      ["scutil", "--get", "ComputerName"], ["scutil", "--get", "LocalHostName"], ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"],
      ["networksetup", "-listallhardwareports"], ["diskutil", "list", "-plist"],
    ]
    for command in others {
      guard let answer = world.run(command[0], Array(command.dropFirst()), nil) else { continue }
      if command[0] == "scutil" { names.add(answer.text, .host) } else { names.gather(command, answer.output) }
    }
    for answer in answers {
      names.gather(answer.command, answer.result.output)
      names.gather([], Data(answer.command.filter { $0 != path && $0.hasPrefix("/") }.joined(separator: "\n").utf8))
    }
    return names
  }

  /// Texts in a file, without its reader's keys; in the list of commands, only paths.
  private static func searched(_ file: File) -> [String] {
    guard let value = ToolValue(file.content) else { return [String(decoding: file.content, as: UTF8.self)] }
    guard file.name == Replay.listName else { return texts(value) }
    return value.items.flatMap { $0["command"]?.items ?? [] }.flatMap(texts).filter { $0.hasPrefix("/") }
  }

  private static func texts(_ value: ToolValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let items): items.flatMap(texts)
    case .dictionary(let entries): entries.flatMap { (StandIns.isToolsKey($0.key) ? [] : [$0.key]) + texts($0.value) }
    default: []
    }
  }

  /// Facts that a run's document publishes.
  private static func told(_ facts: MachineFacts, _ target: TargetRecord) -> [String] {
    [facts.model, facts.modelName, facts.chip].compactMap { $0 } + target.names
  }

  /// Read the recording as a replay would and compare: nothing replaced may have been a fact.
  private static func compare(
    _ facts: MachineFacts, _ target: TargetRecord, _ directory: String, _ path: String, _ world: World
  ) throws {
    let replayed = world.replaying(try Replay(directory: directory))
    var expected = facts
    var again = MachineFacts.read(replayed)
    // Thermal state and free space don't come from tools alone, and the load changes constantly.
    for change in [\MachineFacts.environment.thermalState, \.platform] { expected[keyPath: change] = again[keyPath: change] }
    again.isSimulated = facts.isSimulated
    var expectedTarget = target
    expectedTarget.imageFile = nil
    let targetAgain = Target.probe(path, facts: again, deviceKey: [], world: replayed)
    expectedTarget.capacityBytes = targetAgain.capacityBytes
    expectedTarget.freeBytes = targetAgain.freeBytes
    let isSame = again == expected && targetAgain == expectedTarget
    world.terminal.say("Recorded in \(directory). Read the files before you send them to anyone.")
    world.terminal.say(
      isSame
        ? "Replaying them gives the same facts about this Mac."
        : "Replaying them does not give all facts about this Mac, because placeholders replaced some. Send them anyway, and mention this.")
    world.terminal.say("To check: \(Replay.variable)=\(directory) macmeter info")
  }

  private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [(command: [String], result: ToolResult)] = []

    var all: [(command: [String], result: ToolResult)] { lock.withLock { kept } }

    func add(_ command: [String], _ result: ToolResult) {
      lock.withLock { if !kept.contains(where: { $0.command == command }) { kept.append((command, result)) } }
    }
  }
}

extension Recorded {
  /// The parts of a command's output to keep, as its reader declares; nothing if no reader exists.
  package static func of(_ command: [String]) -> Recorded {
    switch command.first {
    case "sysctl": KernelState.recorded
    case "sw_vers": SystemVersion.recorded
    case "system_profiler": ProfilerItems.recorded
    case "ioreg": command.contains("pmgr") ? FrequencyTables.recorded : GPUCores.recorded
    case "pmset":
      command.contains("batt") ? PowerState.recorded : command.contains("therm") ? ThermalLimits.recorded : PowerMode.recorded
    case "ps": BackgroundWork.recorded
    case "tmutil": BackupStatus.recorded
    case "df": MountedSource.recordedPlace
    case "mount": MountedSource.recordedMounts
    case "fdesetup": FileVaultStatus.recorded
    case "hdiutil": AttachedImages.recorded
    case "diskutil" where command.contains("image"): ImageDescription.recorded
    case "diskutil" where command.contains("list"): command.contains("apfs") ? ContainerListing.recorded : DiskListing.recorded
    case "diskutil": DiskInformation.recorded
    default: Recorded()
    }
  }
}

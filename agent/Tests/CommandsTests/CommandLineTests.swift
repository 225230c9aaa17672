import Foundation
import TestSupport
import Testing

@testable import Administration
@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState
@testable import Machine

@Suite struct CommandLineTests {
  let home: TemporaryDirectory
  let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  func run(_ arguments: String...) -> ExitCode {
    Agent.run(arguments, in: .real(["MACMETER_HOME": home.path + "/state"], transcript: transcript))
  }

  @Test("no command, help and version")
  func help() {
    #expect(run() == .usage)
    #expect(run("help") == .success)
    for command in Agent.commands {
      #expect(run("help", command.name) == .success)
      #expect(run(command.name, "--help") == .success)
      for option in command.options { #expect(transcript.printed.contains("--" + option.name)) }
    }
    for code in ExitCode.allCases { #expect(transcript.printed.contains(code.meaning)) }
    #expect(run("--version") == .success)
    #expect(transcript.printed.contains(Program.version))
  }

  @Test(
    "command lines that make no sense are refused in words",
    arguments: [
      ["dsk"], ["disk", "--sets"], ["disk", "--sets", "0"], ["disk", "--sets", "x"], ["disk", "--quick", "--sets", "2"],
      ["disk", "--block-size", "1000"], ["disk", "--block-size", "64M"], ["disk", "--rest", "-1"],
      ["disk", "/no/such/directory"], ["disk", "/etc/hosts"], ["disk", "a", "b"], ["disk", "--storage", "internal"],
      ["disk", "--seed", "-1"], ["disk", "--label", "novalue"], ["disk", "--label", "a=1", "--label", "a=2"],
      ["disk", "--image", "floppy"], ["disk", "--image-size", "2GB"], ["disk", "--quick=yes"], ["disk", "-q"],
      ["disk", "--seed", "1", "--seed", "2"], ["enroll"], ["enroll", "--server", "nonsense", "--token", "x"],
      ["enroll", "--server", "https://example.org", "--token", "a b"], ["upload", "--attempts", "0"], ["runs", "x"], ["runs", "x", "y"],
      ["disk", "--method", "graded"], ["disk", "--method", "simultaneous"], ["disk", "/", "/etc", "--method", "latency"],
      ["disk", "/", "/"], ["disk", "--method", "latency", "--sets", "2"], ["disk", "--size", "1GB"],
      ["disk", "--method", "stream-read", "--size", "1K"], ["disk", "--method", "stream-read", "--quick", "--size", "1GB"],
      ["disk", "--image-states", "new"], ["hash", "/no/such/file"], ["hash", "/dev/null"], ["hash", "--quick", "--passes", "2"],
      ["hash", "/etc/hosts"], ["hash", "--size", "1"], ["disk", ""], ["disk", "--method", "latency", "--size", "9000000TB"], ["compress", "--memory-only", "/tmp"], ["compress", "--memory-only", "--files-only"], ["compress", "--threads", "0"],
      ["cores", "--kernels", "int63"], ["cores", "--threads", "9999"], ["cores", "--qos", "fast"],
      ["cores", "--staggered", "--quick"], ["cores", "."], ["workload"], ["workload", "--name", "x"],
      ["workload", "--name", "x", "--repeat", "0", "--", "true"], ["workload", "--name", "a\u{7}", "--", "true"], ["all", "a", "b"],
    ])
  func refused(arguments: [String]) {
    let world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
    #expect(Agent.run(arguments, in: world) == .usage)
    #expect(transcript.said.hasPrefix("macmeter: "))
    #expect(transcript.printed.isEmpty)
  }

  @Test("another word for a command leads to it", arguments: [
    ("list", "runs"), ("version", "--version"), ("enrol", "enroll"), ("send", "upload"), ("benchmark", "all"),
  ])
  func otherWord(word: String, command: String) {
    for arguments in [[word], ["help", word]] {
      _ = Agent.run(arguments, in: .real(["MACMETER_HOME": home.path + "/state"], transcript: transcript))
      #expect(transcript.said.contains("no command \(word) (did you mean \(command)?)"))
    }
  }

  @Test("no word leads to two commands, and none hides one")
  func otherNames() {
    let names = Agent.commands.flatMap { [$0.name] + $0.otherNames }
    #expect(Set(names).count == names.count)
  }

  @Test("an option without its value is refused by its name", arguments: [["enroll", "--server", ""], ["disk", "--size="], ["runs", "--json="]])
  func emptyValue(arguments: [String]) {
    #expect(Agent.run(arguments, in: .real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)) == .usage)
    #expect(transcript.said.contains(arguments[1].replacingOccurrences(of: "=", with: "")))
  }

  @Test("a mistyped name is answered with the nearest one, and where to read on")
  func nearMiss() {
    _ = run("disk", "--quik")
    #expect(transcript.said.contains("(did you mean --quick?). See `macmeter help disk`"))
    _ = run("dsk")
    #expect(transcript.said.contains("(did you mean disk?). See `macmeter help`"))
    _ = run("disk", "--frobnicate")
    #expect(transcript.said.contains("no option --frobnicate. See"))
    _ = run("help", "frobnicate")
    #expect(transcript.said.hasSuffix("no command frobnicate. See `macmeter help`."))
  }

  @Test("help fits a narrow terminal, and says the same")
  func narrow() {
    for command in Agent.commands {
      let (wide, narrow) = (Help.page(command), Help.page(command, width: 40))
      #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 || $0.hasPrefix("macmeter ") || $0.hasPrefix("  --") })
      let words = { (text: String) in text.split(whereSeparator: \.isWhitespace) }
      #expect(words(wide) == words(narrow), "\(command.name)")
    }
    #expect(Help.page(WorkloadCommand.command).contains("macmeter workload [OPTIONS] -- COMMAND"))
    var table = TextTable(headings: ["When", "Run"], alignments: [.left, .left])
    table.rows = [["now", "a"], ["then", "b"]]
    #expect(table.lines(within: 80) == table.lines())
    #expect(table.lines(within: 5) == ["When  now", "Run   a", "", "When  then", "Run   b", ""])
  }

  @Test("sizes in both kinds of units")
  func sizes() {
    #expect(ByteCount.read("4096") == 4096)
    #expect(ByteCount.read("1M") == 1 << 20)
    #expect(ByteCount.read("64KiB") == 65536)
    #expect(ByteCount.read("20GB") == 20_000_000_000)
    for wrong in ["", "M", "-1", "0", "1X", "9999999999999TB"] { #expect(ByteCount.read(wrong) == nil) }
  }

  @Test("labels that name the user or the host are refused")
  func labels() throws {
    let names = ["jane", "vm", "Jane Doe", "janes-mac"]
    #expect(try Labels.parse(["iops=12000", "note=a=b"], privateNames: names) == ["iops": "12000", "note": "a=b"])
    #expect(try Labels.parse([], privateNames: names) == nil)
    #expect(try Labels.parse(["software=vmware"], privateNames: names) != nil)
    for label in ["owner=Jane", "path=/Users/jane/x", "host=Janes-Mac.local", "on=the vm", "vm=1"] {
      #expect(throws: UsageError.self) { try Labels.parse([label], privateNames: names) }
    }
    for label in ["=x", "x=", "a\u{0}=1", "a= "] {
      #expect(throws: UsageError.self) { try Labels.parse([label], privateNames: []) }
    }
    let many = (0...64).map { "k\($0)=v" }
    #expect(throws: UsageError.self) { try Labels.parse(many, privateNames: []) }
  }

  @Test("figures as people read them")
  func figures() {
    #expect(Figures.gigabytesPerSecond(7.659999e9) == "7.66")
    #expect(Figures.gigabytesPerSecond(12.34e9) == "12.3")
    #expect(Figures.gigabytesPerSecond(0.14321e9) == "0.143")
    #expect(Figures.significant(1234.5, 3) == "1235")
    #expect(Figures.significant(0, 3) == "0.00")
    #expect(Figures.significant(-0.0004, 2) == "-0.00040")
    #expect(Figures.bytes(2_000_000) == "2 MB")
    #expect(Figures.bytes(26_650_000_000) == "26.7 GB")
    #expect(Figures.bytes(999) == "999 B")
    #expect(Figures.duration(0.44) == "0.4 s")
    #expect(Figures.duration(61) == "1 min 1 s")
    #expect(Figures.duration(7500) == "2 h 5 min")
    #expect(Figures.sparkline([0, 4, nil, 8]) == "▁▄ █")
    #expect(Figures.sparkline([]) == "")
  }

  @Test("columns align at the decimal point")
  func table() {
    var table = TextTable(headings: ["Size", "GB/s"], alignments: [.left, .decimal])
    table.rows = [["2 MB", "12.3"], ["10 MB", "0.143"], ["x", "–"]]
    #expect(table.lines() == ["Size      GB/s", "2 MB    12.3", "10 MB    0.143", "x        –"])
  }

  @Test("a quick run is measured, kept, listed and shown; nothing private is in it")
  func quickRun() throws {
    let target = home.path + "/target"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    let code = run("disk", target, "--quick", "--json", "--no-upload", "--allow-low-space", "--seed", "7", "--label", "iops=12")
    #expect(code == .success)
    let document = try RunDocument(json: Data(transcript.printed.utf8))
    #expect(document.state == .complete)
    #expect(document.method.name == "graded-files-quick")
    #expect(document.method.parameters?["seed"] == 7)
    #expect(document.method.parameters?["cache"] == "invalidated")
    #expect(document.labels == ["iops": "12"])
    #expect(document.series.count == 25)
    #expect(document.series.flatMap(\.values).allSatisfy { $0 > 0 })
    #expect(document.series.first { $0.metric == .diskWriteSpeed }?.positions?.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
    let spool = Spool(state: try StateDirectory(["MACMETER_HOME": home.path + "/state"]))
    #expect(spool.entries().map(\.id) == [document.id])
    #expect(spool.document(document.id, .pending) == Data(transcript.printed.utf8))
    for secret in [home.path, ProcessInfo.processInfo.hostName + "\"", "/etc"] {
      #expect(!transcript.printed.contains(secret))
    }
    if let machineID = World.live().readText("/etc/machine-id")?.trimmingCharacters(in: .whitespacesAndNewlines), !machineID.isEmpty {
      #expect(!transcript.printed.contains(machineID))
    }
    #expect(run("runs") == .success)
    #expect(transcript.printed.contains(document.id))
    let again = transcript.printed
    #expect(run("runs", "https://m.example/runs/" + document.id) == .success)
    let shown = transcript.printed.dropFirst(again.count)
    #expect(try RunDocument(json: Data(shown.utf8)) == document)
  }

  @Test("no names, serials or paths of a telling machine reach a document")
  func telling() throws {
    var world = World.test(
      files: [
        "/proc/cpuinfo": LinuxSamples.cpuinfo, "/etc/machine-id": "feedfacefeedface",
        "/etc/hostname": "janes-secret-host", "/proc/self/mountinfo": "27 1 8:1 / / rw - ext4 /dev/mapper/jane-root rw\n",
        "/sys/devices/pci0/nvme/nvme0n1/device/serial": "SERIAL0123456789",
        "/sys/devices/pci0/nvme/nvme0n1/device/model": "Example SSD",
        "/sys/class/dmi/id/product_name": "PF2ABCD12345", "/sys/class/dmi/id/product_uuid": "11111111-2222-3333-4444-555555555555",
      ],
      links: ["/sys/dev/block/8:1": "/sys/devices/pci0/nvme/nvme0n1", home.path: home.path],
      environment: ["MACMETER_HOME": home.path + "/state", "HOME": "/home/jane", "USER": "jane"], transcript: transcript)
    world.privateNames = { ["jane", "janes-secret-host"] }
    #expect(Agent.run(["preview", home.path, "--json"], in: world) == .success)
    let text = transcript.printed
    #expect(try RunDocument(json: Data(text.utf8)).series.isEmpty)
    for secret in ["jane", "secret-host", "SERIAL", "feedface", "PF2ABCD", "11111111-2222", home.path] {
      #expect(!text.localizedCaseInsensitiveContains(secret), "\(secret)")
    }
    #if !canImport(Darwin)
      #expect(text.contains("Example SSD"))
    #endif
    #expect(transcript.said.contains("Never sent"))
  }

  @Test("doubtful conditions stop a strict run before anything is written")
  func strict() {
    var world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
    world.readText = { $0 == "/proc/loadavg" ? "99 99 99 1/1 1" : World.live().readText($0) }
    #if !canImport(Darwin)
      #expect(Agent.run(["disk", home.path, "--quick", "--strict"], in: world) == .doubtfulConditions)
      #expect(transcript.said.contains("Warning: Other work is running (load over the last minute: "))
      #expect(transcript.said.contains("macmeter: not measured because of --strict: other work is running"))
    #endif
  }

  @Test("storage, images and warnings are shown in words, never by the names that documents use")
  func words() {
    let target = TargetRecord(
      storage: .thunderbolt3, linkSpeed: 40e9, device: "My_SSD 970", encryption: .apfsEncrypted, fileSystem: "apfs")
    #expect(RunReport.targetLine(target) == "Thunderbolt 3, 40 Gb/s link, My_SSD 970, APFS encrypted, APFS")
    var image = TargetRecord(storage: .diskImage, encryption: .imageAES256, fileSystem: "hfs")
    image.image = ImageRecord(format: .sparseBundle, state: .partFilled, host: ImageHost(storage: .internal))
    #expect(RunReport.targetLine(image) == "part filled sparse bundle on internal SSD, AES-256 encrypted, HFS+")
    let unheardOf = TargetRecord(storage: Storage("light_link"), encryption: .unknown, fileSystem: "zfs")
    #expect(RunReport.targetLine(unheardOf) == "light link, encryption unknown, zfs")
    let warnings = [Warning(.busySystem, "indexing"), Warning(.lowPowerMode)]
    #expect(
      RunReport.warningLines(warnings, said: [warnings[1]]) == [
        "", "Warning: Other work is running (indexing). Stop it and measure again to get comparable results.",
        "The warning shown at the start is kept with the run.",
      ])
    #expect(RunReport.warningLines(warnings, said: warnings).last == "The 2 warnings shown at the start are kept with the run.")
  }

  @Test("a tenth of the volume, but no more than 20 GB, should stay free")
  func space() {
    #expect(VolumeSpace(capacity: 1_000_000_000_000, free: 100_000_000_000).hasRoom(for: 80_000_000_000))
    #expect(!VolumeSpace(capacity: 1_000_000_000_000, free: 100_000_000_000).hasRoom(for: 81_000_000_000))
    #expect(VolumeSpace(capacity: 100_000_000_000, free: 20_000_000_000).hasRoom(for: 10_000_000_000))
  }

  @Test("a second agent does not measure at the same time")
  func twice() throws {
    _ = run("runs")
    let held = FileLock(home.path + "/state/measuring.lock")
    #expect(held != nil)
    #expect(run("disk", home.path, "--quick", "--allow-low-space") == .alreadyRunning)
  }

  @Test("a stopped run is kept as incomplete, or discarded if asked; its files are gone")
  func stopped() throws {
    let target = home.path + "/target"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    for (options, kept) in [([], 1), (["--discard-incomplete"], 1)] {
      var world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
      let clock = Counter()
      world.interrupted = { clock.next() > 100 }  // within the run's 500 blocks of writing
      let arguments = ["disk", target, "--quick", "--seed", "3", "--no-upload", "--allow-low-space"] + options
      #expect(Agent.run(arguments, in: world) == .interrupted)
      #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
      let spool = Spool(state: try StateDirectory(["MACMETER_HOME": home.path + "/state"]))
      #expect(spool.entries().count == kept)
      let entry = try #require(spool.entries().first)
      let document = try RunDocument(json: #require(spool.document(entry.id, .pending)))
      #expect(document.state == .incomplete)
      #expect(!document.series.contains { $0.metric == .diskWriteAverage || $0.metric == .diskReadSpeed })
    }
  }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func next() -> Int { lock.withLock { count += 1; return count } }
}

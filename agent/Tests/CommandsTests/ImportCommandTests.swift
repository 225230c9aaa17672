import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Document
@testable import LocalState
@testable import Machine

/// Imports of other tools' files, from the command line to the spool.
@Suite struct ImportCommandTests {
  private let home: TemporaryDirectory
  private let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  private func run(_ arguments: String..., mac: String? = nil) -> ExitCode {
    var environment = ["MACMETER_HOME": home.path + "/state"]
    environment[Replay.variable] = mac.map { SimulatedMacTests.folder.path + "/" + $0 }
    return Agent.run(["import"] + arguments, in: .real(environment, transcript: transcript))
  }

  private func fixture(_ name: String) -> String { Fixtures.directory.path + "/" + name }

  private var spool: Spool {
    get throws { Spool(state: try StateDirectory(["MACMETER_HOME": home.path + "/state"])) }
  }

  private func documents() throws -> [RunDocument] {
    try spool.entries().compactMap { try spool.document($0.id, .pending).map { try RunDocument(json: $0) } }
  }

  @Test("importing a waiting file again adds its storage")
  func storageLater() throws {
    #expect(run(fixture("sysbench_0.4.txt")) == .success)
    #expect(transcript.printed.contains("--path"))
    let first = try documents()
    #expect(run(fixture("sysbench_0.4.txt"), "--path", home.path) == .success)
    #expect(try documents().map(\.id) == first.map(\.id))
    #expect(try documents().first?.target != nil)
    #expect(run(fixture("sysbench_0.4.txt"), "--path", home.path) == .success)
    #expect(transcript.said.contains("already imported (waiting for upload)"))
  }

  @Test("an Intel Mac's recording has its package's power and no clusters")
  func packagePower() throws {
    let sample = { (second: Int, watts: String) in
      "*** Sampled system activity (Sat Nov 21 08:00:0\(second) 2026 +0100) (1000.00ms elapsed) ***\n\n**** Processor usage ****\n\nIntel energy model derived package power (CPUs+GT+SA): \(watts)W\n\n"
    }
    let text = "Machine model: MacBookPro16,1\nOS version: 22G120\n\n" + sample(1, "3.41") + sample(2, "12.80")
    #expect(run(try home.write(text, to: "intel.txt")) == .success)
    let document = try #require(try documents().first)
    #expect(document.traces?.first?.columns == ["t", "package"])
    #expect(document.traces?.first?.rows.count == 2)
    #expect(transcript.printed.contains("CPU power by itself"))
    #expect(!transcript.printed.contains("not recorded with cpu_power"))
  }

  @Test("the same file twice is kept once, whatever is said beside it")
  func twice() throws {
    #expect(run(fixture("sysbench_0.4.txt"), "--label", "cable=short") == .success)
    let first = try documents()
    #expect(first.count == 1)
    #expect(first.first?.source == "imported")
    #expect(first.first?.tool == Tool(name: "sysbench", version: "0.4.12"))
    #expect(first.first?.labels == ["cable": "short"])
    #expect(first.first?.target == nil)
    #expect(run(fixture("sysbench_0.4.txt")) == .success)
    #expect(transcript.said.contains("already imported (waiting for upload)"))
    #expect(try documents() == first)
    // The same file imported by another agent is another run.
    unlink(home.path + "/state/identity.json")
    #expect(run(fixture("sysbench_0.4.txt")) == .success)
    #expect(try documents().count == 2)
  }

  @Test("the storage is probed where it is named, but not how much is free now")
  func path() throws {
    #expect(run(fixture("fio_groups.json"), "--path", home.path, "--no-upload", mac: "mac-mini-m4-pro-thunderbolt3") == .success)
    let documents = try documents()
    #expect(documents.count == 3)
    for document in documents {
      #expect(document.target?.storage == .thunderbolt3)
      #expect(document.target?.freeBytes == nil)
      #expect(document.machine.chip == "Apple M4 Pro")
      #expect(document.environment == nil)
      #expect(document.simulated == true)
    }
  }

  @Test("a file from another Mac says nothing of this one")
  func otherMac() throws {
    #expect(run(fixture("powermetrics.txt"), fixture("hyperfine.json"), "--machine", "unspecified", mac: "mac-mini-m4-pro") == .success)
    #expect(run(fixture("diskmark.txt"), mac: "macbook-air-m1") == .success)
    var others = 5
    #if !canImport(Darwin)
      // It was measured on macOS, and this isn't macOS.
      #expect(run(fixture("geekbench.txt")) == .success)
      others += 1
    #endif
    let documents = try documents()
    #expect(documents.count == others)
    #expect(documents.allSatisfy { $0.machine.unspecified == true && $0.machine.memoryBytes == nil && $0.machine.coreTiers == nil })
    #expect(Set(documents.compactMap(\.machine.chip)) == ["Apple M4 Pro"])
  }

  @Test("a file that cannot be read is named, and the others are kept")
  func unreadable() throws {
    #expect(run("/nowhere/x.json", fixture("sw_vers.txt"), fixture("geekbench.txt")) == .failure)
    #expect(transcript.said.contains("/nowhere/x.json: no such file"))
    #expect(transcript.said.contains("sw_vers.txt: This is not output of a supported tool"))
    #expect(try documents().map(\.suite) == ["score"])
    #expect(run(fixture("geekbench.json"), "--format", "fio") == .failure)
    #expect(transcript.said.contains("can't be read as fio output"))
    #expect(run(fixture("geekbench.json"), "--format", "stopwatch") == .usage)
    #expect(run() == .usage)
    #expect(run(fixture("fio_groups.json"), "--machine", "unspecified", "--path", home.path) == .usage)
    #expect(run(fixture("fio_groups.json"), "--machine", "mine") == .usage)
    #expect(run(home.path) == .failure)
    #expect(transcript.said.contains("this is a directory"))
  }

  @Test("powermetrics without its heading is nobody's, unless its cores are this Mac's or --machine says so")
  func headless() throws {
    let lines = try Fixtures.text("powermetrics.txt").split(separator: "\n", omittingEmptySubsequences: false)
    let headless = try home.write(
      lines.drop { !$0.hasPrefix("*** Sampled") }.joined(separator: "\n"), to: "headless.txt")
    #expect(run(headless, mac: "mac-mini-m4-pro") == .success)
    #expect(try documents().map(\.machine.unspecified) == [true])
    #expect(transcript.printed.contains("Machine: unspecified ("))
    let kept = try #require(try documents().first)
    // Importing a waiting file again can add its machine.
    #expect(run(headless, "--machine", "this", mac: "mac-mini-m4-pro") == .success)
    #expect(try documents().map(\.machine.chip) == ["Apple M4 Pro"])
    #expect(try documents().map(\.id) == [kept.id])
    let other = "0193a1b2-0000-7000-8000-000000000001"
    let copy = try home.write(try String(contentsOfFile: headless, encoding: .utf8) + "\n", to: "copy.txt")
    #expect(run(copy, "--machine", other) == .success)
    let stated = try documents().filter { $0.machine.id == other }
    #expect(stated.count == 1)
    #expect(stated.first?.machine == MachineRecord(id: other))
    #if !canImport(Darwin)
      let third = try home.write(try String(contentsOfFile: copy, encoding: .utf8) + "\n", to: "third.txt")
      #expect(run(third) == .success)
      #expect(transcript.printed.contains("measured on macOS, and this is Linux"))
    #endif
  }

  @Test("command lines are not kept; names that are given are")
  func names() throws {
    #expect(run(fixture("hyperfine.json"), "--name", "build", "--json") == .success)
    let tests = try documents().flatMap(\.series).compactMap { $0.parameters?["test"] }
    #expect(Set(tests) == ["build", "command 2"])
    let text = try Fixtures.text("hyperfine.json")
    for secret in Secrets.of(text) { #expect(!transcript.printed.contains(secret), "\(secret)") }
  }
}

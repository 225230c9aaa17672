import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import Machine

/// A Mac's answers from files instead of tools.
@Suite struct ReplayTests {
  private let home: TemporaryDirectory
  private let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  private func replay(_ list: String) throws -> Replay {
    _ = try home.write(list, to: "replies.json")
    return try Replay(directory: home.path)
  }

  @Test("a tool that complains at length is heard to its end")
  func complaints() throws {
    let answer = World.real([:]).run("sh", ["-c", "head -c 300000 /dev/zero >&2; echo done"], nil)
    #expect(answer?.text == "done\n")
    #expect(answer?.errors.utf8.count == 300_000)
  }

  @Test("a tool that never ends is ended, and what it had printed counts for nothing")
  func endless() {
    let started = Date()
    #expect(runTool("sh", ["-c", "echo half; exec sleep 600"], nil, mostSeconds: 0.3) == nil)
    #expect(Date().timeIntervalSince(started) < 300)
    #expect(runTool("sh", ["-c", "echo whole"], nil, mostSeconds: 300)?.output == Data("whole\n".utf8))
  }

  @Test("listed commands answer as listed, others as if the tool were missing")
  func answers() throws {
    _ = try home.write("ProductVersion: 26.4\n", to: "sw_vers.txt")
    let replay = try replay(
      """
      [{"command": ["sw_vers"], "file": "sw_vers.txt"}, {"command": ["fdesetup", "status"], "exit": 1},
       {"command": ["df", "-P", "PATH"], "file": "sw_vers.txt", "exit": 2}]
      """)
    #expect(replay.answer(["sw_vers"])?.text == "ProductVersion: 26.4\n")
    #expect(replay.answer(["sw_vers"])?.status == 0)
    #expect(replay.answer(["fdesetup", "status"])?.status == 1)
    #expect(replay.answer(["fdesetup", "status"])?.output.isEmpty == true)
    #expect(replay.answer(["sw_vers", "-x"]) == nil)
    #expect(replay.answer(["pmset", "-g"]) == nil)
    // PATH matches any existing directory.
    #expect(replay.answer(["df", "-P", home.path])?.status == 2)
    #expect(replay.answer(["df", "-P", "/nowhere/at/all"]) == nil)
    #expect(replay.answer(["df", "-H", home.path]) == nil)
  }

  @Test("the same question in other words has the same answer")
  func sameQuestions() throws {
    let replay = try replay(
      """
      [{"command": ["/usr/sbin/diskutil", "info", "-plist", "/dev/disk3s5"], "exit": 3},
       {"command": ["system_profiler", "SPNVMeDataType", "SPSerialATADataType", "-json"], "exit": 4}]
      """)
    #expect(replay.answer(["diskutil", "info", "-plist", "disk3s5"])?.status == 3)
    #expect(replay.answer(["diskutil", "info", "-plist", "disk3s1"]) == nil)
    #expect(replay.answer(["diskutil", "info", "disk3s5"]) == nil)
    #expect(replay.answer(["system_profiler", "-json", "SPSerialATADataType"])?.status == 4)
    #expect(replay.answer(["system_profiler", "-json", "SPUSBDataType"]) == nil)
  }

  @Test(
    "a bad list names the entry and what to do",
    arguments: [
      ("{}", "is not a JSON list"), ("[", "is not a JSON list"), ("", "is not a JSON list"),
      (#"[{"command": ["a"]}, {"command": "a b"}]"#, "entry 2: \"command\" should be a list of words"),
      (#"[{}]"#, "entry 1: \"command\""), (#"["a"]"#, "entry 1: \"command\""), (#"[{"command": [1]}]"#, "entry 1: \"command\""),
      (#"[{"command": []}]"#, "entry 1: \"command\""),
      (#"[{"command": ["a"], "file": "gone.txt"}]"#, "entry 1: the file gone.txt is missing"),
      (#"[{"command": ["a"], "file": 3}]"#, "entry 1: \"file\""),
      (#"[{"command": ["a"], "exit": "0"}]"#, "entry 1: \"exit\""), (#"[{"command": ["a"], "exit": 999}]"#, "entry 1: \"exit\""),
      (#"[{"command": ["a"], "output": "x"}]"#, "entry 1: unknown key \"output\""),
      (#"[{"command": ["a"]}, {"command": ["a"]}]"#, "entry 2: same command as entry 1"),
    ])
  func badLists(list: String, words: String) throws {
    #expect(throws: ReplayError.self) { try replay(list) }
    #expect(run("info") == .failure)
    #expect(transcript.said.contains(words))
  }

  @Test("no list at all is said with its place")
  func noList() {
    #expect(run("info") == .failure)
    #expect(transcript.said.contains("cannot read replies.json in it"))
  }

  @Test("a Mac that answers nothing leaves nothing of this machine in a document")
  func nothingLeaks() throws {
    _ = try home.write("[]", to: "replies.json")
    #expect(run("preview", home.path, "--json") == .success)
    let document = try RunDocument(json: Data(transcript.printed.utf8))
    #expect(document.simulated == true)
    #expect(document.environment == EnvironmentRecord())
    #expect(document.machine == MachineRecord(id: document.machine.id))
    #expect(document.target == TargetRecord(storage: .other, simultaneous: 1, encryption: .unknown))
    #expect(document.agent?.platform == nil)
    #expect(document.warnings == nil)
  }

  @Test("this machine's own identity is not a replayed Mac's")
  func ownHome() throws {
    let world = World.test(environment: ["MACMETER_REPLAY": home.path, "HOME": "/home/x", "XDG_STATE_HOME": "/state"])
    let chosen = World.test(environment: ["MACMETER_HOME": "/chosen", "HOME": "/home/x"])
    #expect(world.replaying(try replay("[]")).environment["MACMETER_HOME"]?.hasSuffix("acmeter-replay") == true)
    #expect(chosen.replaying(try replay("[]")).environment["MACMETER_HOME"] == "/chosen")
  }

  private func run(_ arguments: String...) -> ExitCode {
    Agent.run(
      arguments,
      in: .real(["MACMETER_HOME": home.path + "/state", "MACMETER_REPLAY": home.path], transcript: transcript))
  }
}

import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document
@testable import Machine
@testable import Measure

/// Power, from powermetrics output to document.
@Suite struct PowerTests {
  private let home: TemporaryDirectory
  private let transcript = Transcript()

  init() throws { home = try TemporaryDirectory() }

  private func run(_ arguments: String..., mac: String, stream: (@Sendable (Data) -> Data)? = nil) throws -> ExitCode {
    var world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
    let replay = try Replay(directory: SimulatedMacTests.folder.path + "/" + mac)
    world = world.replaying(replay)
    if let stream {
      world.stream = { command, take in
        guard let answer = replay.answer(command) else { return nil }
        take(stream(answer.output))
        return RunningTool { ToolResult(status: 0, output: Data(), errors: "said so") }
      }
    }
    return Agent.run(arguments, in: world)
  }

  private func series(_ document: RunDocument, _ metric: Metric) -> [[String: Scalar]: [Double]] {
    Dictionary(document.series.filter { $0.metric == metric }.map { ($0.parameters ?? [:], $0.values) }) { first, _ in first }
  }

  @Test("a captured stream becomes power, slopes and frequencies by what was seen working")
  func replayed() throws {
    #expect(try run("power", "--quick", "--no-upload", "--json", mac: "mac-mini-m4-pro") == .success)
    let document = try RunDocument(json: Data(transcript.printed.utf8))
    #expect(document.suite == "power")
    #expect(document.simulated == true)
    #expect(document.method.name == "sampled-quick")
    #expect(document.machine.chip == "Apple M4 Pro")
    let one: [String: Scalar] = [
      "threads": 1, "kernel": "fp64", "qos": "user-interactive", "core_context": "Performance/high",
    ]
    let all = one.merging(["threads": 14, "core_context": "Performance+Efficiency/high"]) { $1 }
    let total = series(document, .powerCPUTotal)
    #expect(total[one] == [1.638, 1.654, 1.659, 1.649])
    #expect(total[["threads": 0]] == [0.21, 0.21, 0.21, 0.21, 0.205, 0.205, 0.205, 0.205])
    #expect(total.count == 4)
    #expect(series(document, .powerCPUMaximum) == [all: [31.109]])
    let slopes = document.series.filter { $0.metric == .powerPerAddedThread }
    #expect(slopes.map { $0.parameters?["core_context"] } == ["Performance/high", "Efficiency/high"])
    #expect(abs((slopes.first?.values.first ?? 0) - 2.85) < 1e-9)
    #expect(abs((slopes.last?.values.first ?? 0) - 0.95) < 1e-9)
    let frequencies = series(document, .coresFrequency)
    #expect(frequencies[["tier": "Performance", "active_cores": 1]] == [4512e6, 4512e6, 4512e6, 4512e6])
    #expect(frequencies[["tier": "Efficiency", "active_cores": 4]] == [2592e6, 2592e6, 2592e6, 2592e6])
    // Two clusters of the tier are active, each with one reading per sample.
    #expect(frequencies[["tier": "Performance", "active_cores": 10]]?.count == 16)
    // The load ran on another Mac, at unknown speed.
    #expect(series(document, .energyPerThread).isEmpty)
    #expect(document.traces?.map(\.kind) == ["power", "gpu", "cpu", "core", "phases"])
    #expect(!transcript.printed.localizedCaseInsensitiveContains("never sent"))
  }

  @Test("output cut anywhere is read as far as it goes; none of it at all is said")
  func partial() throws {
    for share in [0.5, 0.9, 0.999] {
      let code = try run("power", "--quick", "--no-upload", mac: "mac-mini-m4-pro") { $0.prefix(Int(Double($0.count) * share)) }
      #expect(code == .success)
    }
    #expect(try run("power", "--quick", mac: "mac-mini-m4-pro") { _ in Data("\0<plist><di".utf8) } == .failure)
    #expect(transcript.said.contains("gave no readable sample: said so"))
    #expect(try run("power", "--quick", mac: "macbook-air-m1") == .failure)
    #expect(transcript.said.contains("powermetrics could not be started"))
  }

  @Test("a virtual machine, and a user who is not root, learn what it needs")
  func obstacles() throws {
    #expect(try run("power", mac: "virtual-machine-macos-26") == .notPossibleHere)
    #expect(transcript.said.contains("on the host"))
    let world = World.mac()
    #expect((PowerAccess.obstacle(MachineFacts(), world) == nil) == (geteuid() == 0))
    var linux = World.mac()
    linux.system = .linux
    #expect(PowerAccess.obstacle(MachineFacts(), linux) != nil)
  }

  @Test("phases: quiet around, for each number of threads up, steady, down")
  func plan() {
    let tiers = [CoreTier(name: "Performance", cores: 2), CoreTier(name: "Efficiency", cores: 4)]
    let context = CoreContext(tiers: tiers, cores: 6)
    func plan(most: Int?, quick: Bool = false, _ quality: ThreadQuality = .userInteractive) -> PowerPlan {
      PowerPlan(kernel: "fp64", quality: quality, context: context, most: most, quick: quick)
    }
    #expect(plan(most: nil).threads == [1, 2, 3, 4, 5, 6])
    #expect(plan(most: 3).threads == [1, 2, 3])
    #expect(plan(most: 99).threads.count == 6)
    #expect(plan(most: nil, quick: true).threads == [1, 2, 6])
    #expect(plan(most: nil, .background).threads == [1, 2, 3, 4])
    #expect(plan(most: 1).phases.map(\.kind) == [.quiet, .loading, .loaded, .unloading, .quiet])
    #expect(plan(most: 1).seconds == 17)
  }

  @Test("under our own load samples are taken at their time, and energy is that of the same work")
  func ownLoad() {
    var world = World.real([:], transcript: transcript)
    let sample = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>elapsed_ns</key><integer>20000000</integer>
      <key>processor</key><dict><key>cpu_power</key><real>2000</real></dict></dict></plist>\n\0
      """
    world.stream = { _, take in
      let stop = Mark()
      let ended = DispatchSemaphore(value: 0)
      Thread {
        while !stop.isSet {
          usleep(20_000)
          take(Data(sample.utf8))
        }
        ended.signal()
      }.start()
      return RunningTool {
        stop.set()
        ended.wait()
        return ToolResult(status: 0, output: Data())
      }
    }
    let context = CoreContext(tiers: nil, cores: 1)
    let plan = PowerPlan(kernel: "fp64", quality: .userInteractive, context: context, most: 1, quick: true)
    let outcome = PowerRun(plan: plan, world: world).run()
    #expect(outcome.ending == .complete)
    let made = PowerSeries(plan: plan, context: context, outcome: outcome).series()
    let power = made.filter { $0.metric == .powerCPUTotal && $0.parameters?["threads"] == 1 }
    // Their number depends on how busy the machine is.
    #expect(power.first.map { !$0.values.isEmpty && $0.values.allSatisfy { $0 == 2 } } == true)
    #expect(made.contains { $0.metric == .energyPerThread && $0.values.allSatisfy { $0 > 0 } })
  }

  @Test("a tool that goes on is ended, with what it printed until then")
  func stream() throws {
    let taken = Taken()
    let tool = try #require(World.live().stream(["sh", "-c", "trap '' TERM; echo one; while :; do sleep 1; done"]) { taken.add($0) })
    while taken.text.isEmpty { usleep(10_000) }
    let result = tool.stop()
    #expect(taken.text == "one\n")
    #expect(result.status != 0)
    #expect(World.live().stream(["no-such-tool-at-all"]) { _ in }?.stop().status == 127)
  }
}

private final class Mark: @unchecked Sendable {
  private let lock = NSLock()
  private var isMarked = false
  var isSet: Bool { lock.withLock { isMarked } }
  func set() { lock.withLock { isMarked = true } }
}

private final class Taken: @unchecked Sendable {
  private let lock = NSLock()
  private var bytes = Data()
  var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }
  func add(_ data: Data) { lock.withLock { bytes += data } }
}

import Foundation
import TestSupport
import Testing

@testable import Administration
@testable import Base
@testable import Commands
@testable import Document
@testable import LocalState
@testable import Measure

@Suite struct SecondBinsTests {
  @Test("bytes belong to the seconds in which they were written; a part of a second is none")
  func bins() {
    var bins = SecondBins()
    for tenth in 1...25 { bins.add(bytes: 100, at: Double(tenth) / 10) }
    #expect(bins.whole.map { $0.rounded() } == [1000, 1000])
  }

  @Test("a drive that pauses shows slow seconds, not empty ones")
  func pause() {
    var bins = SecondBins()
    bins.add(bytes: 1000, at: 0.5)
    bins.add(bytes: 1000, at: 2.5)  // 500 per second for two seconds
    bins.add(bytes: 0, at: 2.5)
    #expect(bins.whole.map { $0.rounded() } == [1250, 500])
  }

  @Test("elapsed counts the seconds that had passed; without an end there is no average")
  func series() {
    var outcome = SustainedWriteOutcome()
    outcome.seconds.add(bytes: 3_000, at: 3)
    let plan = SustainedWritePlan(bytes: 3_000, seed: 1, blockSize: 4096, quick: false)
    let partial = SustainedWriteRun.series(outcome, plan)
    #expect(partial.map { $0.parameters?["elapsed"] } == [1, 2, 3])
    #expect(DiskMethodReport.sustainedWrite(outcome, plan).contains { $0.hasPrefix("First second") })
    outcome.time = WriteTime(transfer: 3, flush: 1)
    let whole = SustainedWriteRun.series(outcome, plan)
    #expect(whole.suffix(2).map(\.values) == [[1000], [750]])
  }
}

@Suite struct TransferTrailTests {
  func trail(_ steps: [(UInt64, Int)]) -> TransferTrail {
    let trail = TransferTrail()
    for (time, bytes) in steps { trail.add(bytes, at: time) }
    return trail
  }

  @Test("only the time counts in which all were busy")
  func overlap() {
    let second: UInt64 = 1_000_000_000
    let fast = trail([(second, 1000), (2 * second, 1000)])
    // Half of its second block had been transferred when the fast one ended.
    let slow = trail([(second, 200), (3 * second, 400)])
    #expect(TransferTrail.speeds([(0, fast), (0, slow)]) == [1000, 200])
    let late = trail([(2 * second, 600)])
    #expect(TransferTrail.speeds([(0, fast), (second, late)]) == [1000, 600])
  }

  @Test("targets that were never busy together have no speed")
  func apart() {
    #expect(TransferTrail.speeds([(0, trail([(10, 1)])), (20, trail([(30, 1)]))]).isEmpty)
  }
}

@Suite struct LatencyTests {
  @Test("every test once, in an order that the seed decides; no place twice; writes of 16 KiB")
  func plan() {
    let plan = LatencyPlan(bytes: 1 << 30, seed: 3, quick: false)
    #expect(Set(plan.tests.map(\.name)) == [
      "random_read_qd1", "random_read_qd32", "random_write_16k_qd1", "random_write_16k_qd32",
    ])
    #expect(plan.tests == LatencyPlan(bytes: 1 << 30, seed: 3, quick: false).tests)
    #expect(Set((0..<20).map { LatencyPlan(bytes: 16384, seed: $0, quick: true).tests.map(\.name) }).count > 5)
    // macOS caches anything smaller.
    for test in plan.tests where test.move == .write { #expect(test.bytes >= 16384 && test.bytes % 16384 == 0) }
    #expect(plan.bytesWritten > plan.bytes)
    let huge = LatencyPlan(bytes: 1_000_000_000_000_000, seed: 3, quick: true)
    for move in [LatencyTest.Move.read, .write] {
      let bytes = LatencyTest(move: move, depth: 1).bytes
      let places = huge.shuffledPlaces(move)
      #expect(places.count == huge.tests.filter { $0.move == move }.map(huge.transfers).reduce(0, +))
      #expect(Set(places).count == places.count)
      #expect((places.max() ?? 0) * bytes > huge.bytes / 2)
      let small = LatencyPlan(bytes: 1_000_000, seed: 3, quick: true)
      let all = small.shuffledPlaces(move)
      #expect(all.sorted() == Array(0..<(small.bytes / bytes)))
      #expect(all != all.sorted())
      #expect(small.method != plan.method)
    }
  }

  @Test("samples are kept evenly over the time of all threads")
  func sample() {
    #expect(LatencyMeasurement.sample([[1, 3], [2, 4, 5]]) == [1, 2, 3, 4, 5])
    let many = LatencyMeasurement.sample([(0..<5000).map(Double.init)])
    #expect(many.count == LatencyPlan.samples)
    #expect(many.prefix(3) == [0, 5, 10])
  }

  @Test("reads and writes a real file, and leaves its size alone")
  func real() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/file"
    let plan = LatencyPlan(bytes: 8 << 20, seed: 3, quick: true)
    let world = World.test()
    _ = try BlockTransfer(blockSize: 1 << 20, seed: 1, world: world).write(path, bytes: plan.bytes) { _ in }
    let outcome = LatencyMeasurement(
      plan: plan, path: path, cache: StorageCache(image: nil), world: world,
      progress: ProgressLine(phases: 1, world: world, quiet: true)
    ).run()
    #expect(outcome.ending == .complete)
    #expect(outcome.timings.map(\.test) == plan.tests)
    for timing in outcome.timings {
      #expect(timing.transfers == plan.transfers(timing.test) / timing.test.depth * timing.test.depth)
      #expect(timing.seconds.allSatisfy { $0 > 0 })
    }
    #expect(outcome.residency.count == 2)
    #expect(outcome.written.count == 2)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == plan.bytes)
  }

  @Test("pages that are in memory when reading begins are a warning")
  func cached() {
    let some = Residency(residentPages: 2, pages: 100)
    #expect(Warning.reading(bypassedCache: true, [some]).map(\.code) == [.readsMayBeCached])
    let few = Residency(residentPages: 1, pages: 100)
    #expect(Warning.reading(bypassedCache: true, [few]).isEmpty)
    #expect(Warning.reading(bypassedCache: false, [few]).map(\.code) == [.cacheNotBypassed])
  }
}

@Suite struct WorkloadTests {
  let world = World.test()

  func run(_ command: [String], repetitions: Int = 2, warmUp: Int = 1, world: World? = nil) -> WorkloadOutcome {
    let plan = WorkloadPlan(name: "x", command: command, repetitions: repetitions, warmUp: warmUp, cold: false)
    let world = world ?? self.world
    return WorkloadMeasurement(plan: plan, world: world, progress: ProgressLine(phases: 1, world: world, quiet: true)).run()
  }

  @Test("wall, user and system time of each repetition; the warm-up is none")
  func times() throws {
    let busy = run(["sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"])
    #expect(busy.ending == .complete)
    #expect(busy.timings.count == 2)
    #expect(busy.timings.allSatisfy { $0.user > 0 && $0.wall >= $0.user * 0.9 })
    let idle = try #require(run(["sleep", "0.2"], repetitions: 1).timings.first)
    #expect(idle.wall >= 0.2)
    #expect(idle.user + idle.system < idle.wall)
  }

  @Test("what fails ends the run in words, and keeps what was measured before")
  func failures() throws {
    #expect(run(["sh", "-c", "exit 7"], warmUp: 0).ending == .failed("the command ended with exit code 7 in repetition 1; --show-output shows its output"))
    guard case .failed(let why) = run(["sh", "-c", "kill -9 $$"]).ending else { return #expect(Bool(false)) }
    #expect(why.hasPrefix("signal 9 ended the command in warm-up 1"))
    guard case .failed(let missing) = run(["/no/such/program"]).ending else { return #expect(Bool(false)) }
    #expect(missing.contains("cannot be started"))
    let directory = try TemporaryDirectory()
    let second = run(["sh", "-c", "test ! -e \(directory.path)/here && touch \(directory.path)/here"], warmUp: 0)
    #expect(second.timings.count == 1)
    #expect(second.ending != .complete)
  }

  @Test("a missing peak is absent, not zero")
  func peak() {
    var outcome = WorkloadOutcome()
    outcome.timings = [
      WorkloadTiming(wall: 1, user: 0, system: 0, peakMemory: nil),
      WorkloadTiming(wall: 2, user: 1, system: 0, peakMemory: 5),
    ]
    let plan = WorkloadPlan(name: "x", command: ["x"], repetitions: 2, warmUp: 0, cold: false)
    let series = WorkloadRun.series(outcome, plan)
    #expect(series.map(\.metric.rawValue) == [
      "workload.duration", "workload.user_time", "workload.system_time", "workload.peak_memory",
    ])
    #expect(series[3].values == [5])
    #expect(series[3].positions == [2])
    #expect(series[0].parameters == ["test": "x"])
  }
}

@Suite struct PlanningTests {
  let home = try! TemporaryDirectory()
  let world = World.real([:])

  func plan(
    _ command: Command, _ make: (Invocation, World) throws -> [PlannedRun], _ arguments: String...
  ) throws -> [PlannedRun] {
    try make(try Invocation(arguments, for: command), world)
  }

  @Test("numbers of threads, one by one and as ranges")
  func numbers() throws {
    let command = CoresCommand.command
    func numbers(_ text: String) throws -> [Int]? {
      try Invocation(["--threads", text], for: command).numbers("threads", in: 1...8)
    }
    #expect(try numbers("1..4") == [1, 2, 3, 4])
    #expect(try numbers("4,1,2") == [1, 2, 4])
    #expect(try numbers("2..3,8") == [2, 3, 8])
    for wrong in ["", "0", "9", "3..1", "a", "1..", "1,,2", "1..2..3"] {
      #expect(throws: UsageError.self, "\(wrong)") { try numbers(wrong) }
    }
  }

  @Test("all plans every suite, and says what it will write")
  func all() throws {
    let planned = try plan(AllCommand.command, AllCommand.plan, home.path, "--quick", "--seed", "5")
    #expect(Set(planned.compactMap { $0.title.split(separator: " ").first }) == ["disk", "hash", "compression", "cores"])
    #expect(planned.allSatisfy { $0.title.hasSuffix("-quick") })
    let written = planned.map(\.bytesWritten).reduce(0, +)
    let said = Announcement.lines(planned, [:], isMac: false)
    #expect(said.last?.contains(Figures.bytes(written)) == true)
    #expect(said.count == planned.count + 1)
  }

  @Test("images that are filled first are as large again, and their filling is announced")
  func images() throws {
    let new = ImageRequest(format: .raw, encryption: .unencrypted, capacity: 4_000_000_000)
    #expect(new.fill == 0)
    let emptied = ImageRequest(format: .raw, encryption: .unencrypted, capacity: 4_000_000_000, state: .emptied)
    #expect(emptied.fill == 2_000_000_000)
  }

  @Test("a file that would not fit is an objection, with what to do about it")
  func care() throws {
    let run = PlannedRun(title: "disk x", announcement: "", paths: ["/x"], bytesNeeded: 50) { _ in [] }
    var target = TargetRecord(storage: .internal, capacityBytes: 1000, freeBytes: 140)
    let session = try Session(.real(["MACMETER_HOME": home.path + "/state"]))
    func objections() throws -> [Care.Objection] {
      try Care(
        planned: [run], targets: ["/x": target], facts: MachineFacts(), session: session, preferences: Preferences()
      ).objections()
    }
    #expect(try objections().map(\.code) == [.spaceShort])
    #expect(try objections()[0].sentence.contains("--allow-low-space"))
    #expect(try objections()[0].warning?.code == .lowSpaceAllowed)
    #expect(try objections()[0].run == "disk x")
    target.freeBytes = 40
    #expect(try !objections()[0].sentence.contains("--allow-low-space"))
    target.freeBytes = 150
    #expect(try objections().isEmpty)
  }
}

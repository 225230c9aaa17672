import Foundation
import TestSupport
import Testing

@testable import MacTools

/// Real Macs' `powermetrics` output. Expectations come from reading the files.
@Suite(Captures.counted)
struct MacToolsPowerCaptureTests {
  private func read(_ name: String) throws -> (samples: [PowerSample], machine: SampledMachine, damaged: Int) {
    PowerMetricsStream.read(try Captures.data("powermetrics/" + name))
  }

  private func only(_ name: String) throws -> PowerSample {
    let samples = try read(name).samples
    #expect(samples.count == 1)
    return try #require(samples.first)
  }

  @Test("M4 Max: down residency, a cluster without Online, a core that never ran")
  func m4Max() throws {
    let name = "BinSquare__m4max_24F74_default.txt"
    #expect(try read(name).machine == SampledMachine(model: "Mac16,6", osBuild: "24F74"))
    let sample = try only(name)
    #expect(sample.elapsed == 5.02196)
    #expect(sample.clusters.map(\.name) == ["E", "P0", "P1"])
    #expect(sample.clusters.map(\.frequency) == [1293e6, 2507e6, 2316e6])
    #expect(sample.clusters.map(\.online) == [1, 0.14, nil])
    #expect(sample.clusters[1].active == 0.0588)
    #expect(sample.clusters[1].idle == 0.0758)
    #expect(sample.clusters[1].down == 0.8653)
    #expect(sample.clusters.map { $0.cores.map(\.number) } == [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9, 10, 11, 12, 13]])
    #expect(sample.clusters[1].cores[3] == PowerSample.Core(number: 7, active: 0, idle: 0.1267, down: 0.8733))
    #expect(sample.cpuPower == 0.954)
    #expect(sample.gpuPower == 0.028)
    #expect(sample.anePower == 0)
    #expect(sample.combinedPower == 0.983)
    #expect(sample.charge == 0.36)
    #expect(sample.gpu == PowerSample.Graphics(frequency: 338e6, active: 0.0163, idle: 0.9837))
  }

  @Test("M3: clusters read 0 while their cores run, and so read nothing")
  func m3() throws {
    // Copied from a web page, with non-breaking spaces.
    let busy = try only("brendanlynch9__m3air_24F74_a2.txt")
    #expect(busy.clusters.map(\.frequency) == [1821e6, nil])
    #expect(busy.clusters.map(\.active) == [0.9309, nil])
    #expect(busy.clusters.flatMap(\.cores).count == 8)
    let sample = try only("brendanlynch9__m3air_24F74_a1.txt")
    #expect(sample.clusters.map(\.name) == ["E", "P"])
    #expect(sample.clusters.allSatisfy { $0.frequency == nil && $0.active == nil && $0.idle == nil })
    #expect(sample.clusters.flatMap(\.cores).allSatisfy { $0.frequency != nil })
    #expect(sample.clusters[1].cores[1] == PowerSample.Core(number: 5, frequency: 4005e6, active: 0.0242, idle: 0.9758))
    #expect(sample.cpuPower == 0.125)
  }

  @Test("M1 with one and with two Performance clusters, macOS 13 and 14")
  func m1() throws {
    let air = try only("Hehongyuanlove__m1air_23D56_cpu_power.txt")
    #expect(air.clusters.map(\.active) == [0.4359, 0.4350])
    #expect(air.combinedPower == 1.423)
    let everything = try only("Hehongyuanlove__m1air_23D56_default.txt")
    #expect(everything.cpuPower == 0.865)
    // Printed twice: the value in the combined power counts.
    #expect(everything.gpuPower == 0.113)
    #expect(try only("Hehongyuanlove__m1air_23D56_gpu_power.txt").gpu?.frequency == 396e6)
    let showAll = try only("Jo00o200__m1max_23G93_showall.txt")
    #expect(showAll.clusters.map { $0.cores.count } == [2, 4, 4])
    #expect(showAll.clusters.map(\.frequency) == [1012e6, 667e6, 608e6])
    #expect(showAll.cpuPower == 0.044)
    #expect(showAll.thermalPressure == "nominal")
    #expect(showAll.charge == 1)
    let tasks = try only("metacosm__m1max_22G120_tasks_cpu.txt")
    #expect(tasks.combinedPower == 0.359)
    #expect(tasks.clusters.map(\.name) == ["E", "P0", "P1"])
    #expect(tasks.gpu == nil)
  }

  @Test("many samples of macOS 11 and 12, with power by cluster")
  func series() throws {
    let monterey = try read("mlco2__codecarbon_m1air_21G115_cpu_power.txt").samples
    #expect(monterey.count == 10)
    #expect(monterey[0].clusters.map(\.power) == [0.105, 0.842])
    #expect(monterey[0].cpuPower == 0.947)
    #expect(monterey[0].dramPower == 0.22)
    #expect(monterey[0].packagePower == 1.473)
    #expect(monterey[0].combinedPower == nil)
    #expect(monterey[1].elapsed == 0.10481)
    #expect(monterey[1].clusters.map(\.power).first == 0.067)
    let bigSur = try read("singhkays__m1mini_20D80_gb5_metal.txt")
    #expect(bigSur.machine == SampledMachine(model: "Macmini9,1", osBuild: "20D80"))
    // It ends in a summary of all samples, which isn't a sample.
    #expect(bigSur.samples.count == 164)
    #expect(bigSur.samples.last?.packagePower == 0.009)
    #expect(bigSur.samples.allSatisfy { $0.clusters.flatMap(\.cores).count == 8 && $0.cpuPower != nil })
    #expect(bigSur.samples[0].cpuPower == 0.023)
    #expect(bigSur.samples[0].packagePower == 0.048)
    #expect(bigSur.samples[0].clusters[1].cores[3] == PowerSample.Core(number: 7, active: 0, idle: 1))
    #expect(bigSur.samples[0].gpu == PowerSample.Graphics(frequency: 709e6, active: 0.0054, idle: 0.9946))
    let traces = PowerTrace.traces(bigSur.samples)
    #expect(traces.map(\.kind) == ["power", "gpu", "cpu", "core"])
    #expect(traces.map { $0.rows.count } == [164, 164, 328, 1312])
    #expect(traces[0].columns == ["t", "cpu", "gpu", "ane", "dram", "package"])
    #expect(traces[0].rows[1][0] == .number(1.00503))
  }

  @Test("excerpts: what is there and no more")
  func excerpts() throws {
    let m5 = try only("unidentified-55590486991__m5pro_mclusters_excerpt.txt")
    #expect(m5.clusters.map(\.name) == ["M0", "M1", "P"])
    #expect(m5.clusters.map(\.frequency) == [1600e6, 1407e6, 3844e6])
    #expect(m5.gpuPower == 0.128)
    #expect(m5.elapsed == nil)
    let m1Pro = try only("lablup__all-smi_m1pro_excerpt.txt")
    #expect(m1Pro.clusters.map(\.name) == ["E", "P0", "P1"])
    #expect(m1Pro.clusters[1].active == 0.1279)
    #expect(m1Pro.gpuPower == 0.112)
    #expect(try only("lablup__all-smi_m2_excerpt.txt").gpu == PowerSample.Graphics(frequency: 444e6, active: 0.0985))
    #expect(try only("lablup__all-smi_m3pro_excerpt.txt").clusters[1].cores.map(\.number) == [6])
    let m3Max = try only("context-labs__mactop2_m3max_excerpt.txt")
    // Cores whose cluster was cut off are dropped.
    #expect(m3Max.clusters == [PowerSample.Cluster(name: "P1", frequency: 4051e6, online: 0.66)])
    #expect(try only("philipturner__applegpuinfo15_m3air_25D125_gpu_excerpt.txt").gpu?.active == 0.2225)
    #expect(try only("henrygd__beszel_m2pro_25D125_gpu_power.txt").gpuPower == 0.004)
    #expect(try only("unidentified-22645965679__m4air_24F74_gpu_power.txt").gpuPower == 0.006)
    #expect(try only("unidentified-25801920027__m1max_studio_23C71_gpu_power.txt").gpu?.frequency == 638e6)
    #expect(try only("unidentified-56499336401__m4air_25F84_thermal.txt").thermalPressure == "nominal")
    #expect(try only("unidentified-63425031113__m5_26A5421a_thermal.txt").thermalPressure == "moderate")
    let tasks = try read("unidentified-63052665943__m5max_25F84_tasks_gpu_excerpt.txt")
    #expect(tasks.samples.isEmpty)
    #expect(tasks.machine.model == "Mac17,6")
  }

  @Test("property lists: CPU frequencies in hertz, the GPU's in megahertz")
  func propertyLists() throws {
    let both = try only("Hehongyuanlove__m1air_23D56_cpu_gpu.plist")
    #expect(both.elapsed == 5.005336791)
    #expect(both.clusters.map(\.frequency) == [1_103_550_000, 659_488_000])
    #expect(both.clusters[0].active == 0.250207)
    #expect(both.clusters[0].cores[0].frequency == 1_202_370_000)
    #expect(both.cpuPower == 0.0773175)
    #expect(both.gpuPower == 0.00998934)
    #expect(both.gpu?.frequency == 396e6)
    #expect(try only("Hehongyuanlove__m1air_23D56_cpu_power.plist").combinedPower == 0.769866)
    let all = try only("Hehongyuanlove__m1air_23D56_showall.plist")
    #expect(all.charge == 1)
    #expect(all.clusters.map { $0.cores.count } == [4, 4])
    let pumas = try only("graelo__pumas_m1_22E252.plist")
    #expect(pumas.gpu?.frequency == 714.836e6)
    #expect(pumas.thermalPressure == "nominal")
    #expect(try only("graelo__pumas_m1_22E252_b.plist").elapsed == 0.525992374)
    // 9 mJ in 5.005 s.
    let m4Pro = try only("matiasinsaurralde__m4pro_24F74_gpu_power.plist")
    #expect(m4Pro.gpu?.frequency == 338e6)
    #expect(abs((m4Pro.gpuPower ?? 0) - 0.001798) < 1e-6)
    #expect(try only("matiasinsaurralde__m4pro_battery.plist").charge == 0.2)
  }

  @Test("a stream of property lists with NULs between, in pieces of any size")
  func stream() throws {
    let one = try Captures.data("powermetrics/Hehongyuanlove__m1air_23D56_cpu_power.plist")
    let two = try Captures.data("powermetrics/graelo__pumas_m1_22E252.plist")
    let whole = one + [0] + two + [0] + one
    for size in [7, 4096, whole.count] {
      var stream = PowerMetricsStream()
      var samples: [PowerSample] = []
      for start in stride(from: 0, to: whole.count, by: size) {
        samples += stream.take(whole[start..<min(start + size, whole.count)])
      }
      samples += stream.finish()
      #expect(samples.map(\.cpuPower) == [0.740095, 0.0440773, 0.740095])
      #expect(stream.damaged == 0)
    }
    let cut = PowerMetricsStream.read(one + [0] + two.prefix(9000) + [0] + one.prefix(5000))
    #expect(cut.samples.count == 1)
    #expect(cut.damaged == 2)
  }
}

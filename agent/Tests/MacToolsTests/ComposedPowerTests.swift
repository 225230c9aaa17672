import Foundation
import Testing

@testable import MacTools

/// The oddities of MacToolsPowerCaptureTests in composed samples, with tests of the same names.
@Suite struct ComposedPowerTests {
  private static let head = "Machine model: Mac16,6\nOS version: 24F74\n\n*** Sampled system activity (Sat Nov 21 08:00:00 2026 +0100) (5021.96ms elapsed) ***\n\n"

  private func read(_ text: String) -> (samples: [PowerSample], machine: SampledMachine, damaged: Int) { PowerMetricsStream.read(Data(text.utf8)) }

  private func only(_ text: String) throws -> PowerSample {
    let samples = read(text).samples
    #expect(samples.count == 1)
    return try #require(samples.first)
  }

  @Test("down residency, a cluster without Online, a core that never ran")
  func m4Max() throws {
    let text = Self.head + """
      Battery: percent_charge: 36

      **** Processor usage ****

      P0-Cluster Online: 14%
      P0-Cluster HW active frequency: 2507 MHz
      P0-Cluster HW active residency:   5.88% (1260 MHz: 1.0% 1260 MHz: 0.5% 4512 MHz: 4.4%)
      P0-Cluster idle residency:   7.58%
      P0-Cluster down residency:  86.53%
      CPU 7 frequency: 0 MHz
      CPU 7 active residency:   0.00% (1260 MHz:   0%)
      CPU 7 idle residency:  12.67%
      CPU 7 down residency:  87.33%

      P1-Cluster HW active frequency: 2316 MHz
      P1-Cluster HW active residency:   9.00%
      CPU Power: 954 mW
      GPU Power: 28 mW
      ANE Power: 0 mW
      Combined Power (CPU + GPU + ANE): 983 mW
      """
    #expect(read(text).machine == SampledMachine(model: "Mac16,6", osBuild: "24F74"))
    let sample = try only(text)
    #expect(sample.elapsed == 5.02196)
    #expect(sample.clusters.map(\.online) == [0.14, nil])
    #expect(sample.clusters[0].down == 0.8653)
    #expect(sample.clusters[0].cores == [PowerSample.Core(number: 7, active: 0, idle: 0.1267, down: 0.8733)])
    #expect(sample.charge == 0.36)
    #expect(sample.combinedPower == 0.983)
  }

  @Test("clusters read 0 while their cores run, and so read nothing; spaces that do not break")
  func m3() throws {
    let text = Self.head + """
      E-Cluster HW active frequency: 0 MHz
      E-Cluster HW active residency:   0.00%
      E-Cluster idle residency: 100.00%
      CPU 0 frequency: 1821 MHz
      CPU 0 active residency:  93.09%
      CPU 0 idle residency:   6.91%
      CPU Power: 125 mW
      """
    for text in [text, text.replacingOccurrences(of: ": ", with: ":\u{a0}")] {
      let sample = try only(text.hasPrefix("Machine model: ") ? text : Self.head + text)
      #expect(sample.clusters.map(\.name) == ["E"])
      #expect(sample.clusters.allSatisfy { $0.frequency == nil && $0.active == nil && $0.idle == nil })
      #expect(sample.clusters[0].cores == [PowerSample.Core(number: 0, frequency: 1821e6, active: 0.9309, idle: 0.0691)])
      #expect(sample.cpuPower == 0.125)
    }
  }

  @Test("0% is a reading where the cluster was read: with a frequency, or with cores that hardly ran")
  func idle() throws {
    func cluster(_ frequency: String, core: String) throws -> PowerSample.Cluster {
      let text = Self.head + """
        P-Cluster HW active frequency: \(frequency) MHz
        P-Cluster HW active residency:   0.00% (600 MHz: 100%)
        P-Cluster idle residency: 100.00%
        CPU 4 frequency: 620 MHz
        CPU 4 active residency:   \(core)% (600 MHz: .03%)
        CPU 4 idle residency:  99.00%
        CPU Power: 25 mW
        """
      return try #require(try only(text).clusters.first)
    }
    for (frequency, core) in [("600", "0.03"), ("600", "4.00"), ("0", "0.03"), ("0", "0.00")] {
      let whole = try cluster(frequency, core: core)
      #expect(whole.active == 0 && whole.idle == 1, "\(frequency) MHz, \(core)%")
      #expect(whole.frequency == (frequency == "0" ? nil : 600e6))
    }
    #expect(try cluster("0", core: "4.00").active == nil)
  }

  @Test("one and two clusters of a kind, the GPU's power twice, pressure and charge")
  func m1() throws {
    let text = Self.head + """
      E-Cluster HW active frequency: 1012 MHz
      CPU 0 frequency: 1012 MHz
      P0-Cluster HW active frequency: 667 MHz
      CPU 2 frequency: 667 MHz
      P1-Cluster HW active frequency: 608 MHz
      CPU 6 frequency: 608 MHz
      CPU Power: 865 mW
      GPU Power: 113 mW
      Combined Power (CPU + GPU + ANE): 978 mW

      **** GPU usage ****

      GPU HW active frequency: 396 MHz
      GPU HW active residency:   5.00% (396 MHz: 5.0%)
      GPU SW requested state: (P1 : 100%)
      SW requested overall frequency: 1 MHz
      GPU idle residency:  95.00%
      GPU Power: 105 mW

      **** Thermal pressure ****

      Current pressure level: Nominal
      """
    let sample = try only(text)
    #expect(sample.clusters.map(\.name) == ["E", "P0", "P1"])
    #expect(sample.clusters.map(\.frequency) == [1012e6, 667e6, 608e6])
    // The value in the combined power counts.
    #expect(sample.gpuPower == 0.113)
    #expect(sample.gpu == PowerSample.Graphics(frequency: 396e6, active: 0.05, idle: 0.95))
    #expect(sample.thermalPressure == "nominal")
  }

  @Test("many samples of macOS 11 and 12, with power by cluster and a summary at the end")
  func series() throws {
    func sample(_ milliseconds: String, _ power: Int) -> String {
      """
      *** Sampled system activity (Sat Nov 21 08:00:00 2026 +0100) (\(milliseconds)ms elapsed) ***

      E-Cluster Power: 105 mW
      E-Cluster HW active frequency: 1000 MHz
      cpu 0 frequency: 1000 MHz
      cpu 0 active residency:  10.00%
      P-Cluster Power: \(power) mW
      P-Cluster HW active frequency: 2000 MHz
      cpu 4 active residency:   0.00%
      cpu 4 idle residency: 100.00%
      DRAM Power: 220 mW
      Clusters Total Power: \(power + 105) mW
      Package Power: 1473 mW
      GPU active frequency: 709 MHz
      GPU active residency:   0.54%
      GPU idle residency:  99.46%

      """
    }
    let text = "Machine model: Macmini9,1\nOS version: 20D80\n\n" + sample("1000.00", 842) + sample("104.81", 500)
      + "*** Summary of system activity ***\n\nE-Cluster Power: 1 mW\nClusters Total Power: 9999 mW\n"
    let read = read(text)
    #expect(read.machine == SampledMachine(model: "Macmini9,1", osBuild: "20D80"))
    #expect(read.samples.map(\.cpuPower) == [0.947, 0.605])
    #expect(read.samples[0].clusters.map(\.power) == [0.105, 0.842])
    #expect(read.samples[1].elapsed == 0.10481)
    #expect(read.samples[0].dramPower == 0.22)
    #expect(read.samples[0].packagePower == 1.473)
    #expect(read.samples[0].combinedPower == nil)
    #expect(read.samples[0].gpu == PowerSample.Graphics(frequency: 709e6, active: 0.0054, idle: 0.9946))
    #expect(PowerTrace.traces(read.samples).map(\.kind) == ["power", "gpu", "cpu", "core"])
  }

  @Test("excerpts: what is there and no more")
  func excerpts() throws {
    let early = try only("M0-Cluster HW active frequency: 1600 MHz\nM1-Cluster HW active frequency: 1407 MHz\nP-Cluster HW active frequency: 3844 MHz\nGPU Power: 128 mW\nGPU Power: 130 mW\n")
    #expect(early.clusters.map(\.name) == ["M0", "M1", "P"])
    #expect(early.gpuPower == 0.128)
    #expect(early.elapsed == nil)
    // Cores whose cluster was cut off are dropped.
    #expect(try only("CPU 4 frequency: 1000 MHz\nP1-Cluster Online: 66%\nP1-Cluster HW active frequency: 4051 MHz\n").clusters == [PowerSample.Cluster(name: "P1", frequency: 4051e6, online: 0.66)])
    #expect(try only("GPU HW active frequency: 444 MHz\nGPU HW active residency:   9.85%\n").gpu == PowerSample.Graphics(frequency: 444e6, active: 0.0985))
    #expect(try only(Self.head + "**** Thermal pressure ****\n\nCurrent pressure level: Moderate\n").thermalPressure == "moderate")
    let tasks = read(Self.head + "*** Running tasks ***\n\nName  ID  CPU ms/s\nCPU Power: 9 mW  1  2.0\n")
    #expect(tasks.samples.filter { $0.cpuPower != nil }.isEmpty)
    #expect(tasks.machine.model == "Mac16,6")
  }

  private func list(_ entries: String) -> Data {
    Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(entries)</dict></plist>\n".utf8)
  }

  private func processor(_ milliwatts: Double) -> String {
    """
    <key>elapsed_ns</key><integer>5005336791</integer><key>hw_model</key><string>MacBookAir10,1</string>
    <key>processor</key><dict><key>clusters</key><array><dict><key>name</key><string>E-Cluster</string>
    <key>freq_hz</key><real>1.10355e+09</real><key>idle_ratio</key><real>0.749793</real><key>cpus</key><array/></dict></array>
    <key>cpu_power</key><real>\(milliwatts)</real></dict>
    """
  }

  @Test("property lists: CPU frequencies in hertz, the GPU's in megahertz")
  func propertyLists() throws {
    let both = try #require(
      PowerMetricsStream.read(list(processor(77.3175) + "<key>gpu</key><dict><key>freq_hz</key><real>396</real><key>idle_ratio</key><real>0.9</real></dict>")).samples.first)
    #expect(both.elapsed == 5.005336791)
    #expect(both.clusters.map(\.frequency) == [1_103_550_000])
    #expect(both.clusters[0].active == 0.250207)
    #expect(both.cpuPower == 0.0773175)
    #expect(both.gpu?.frequency == 396e6)
  }

  @Test("a stream of property lists with NULs between, in pieces of any size")
  func stream() {
    let one = list(processor(740.095))
    let two = list(processor(44.0773))
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
    let cut = PowerMetricsStream.read(one + [0] + two.prefix(200) + [0] + one.prefix(100))
    #expect(cut.samples.count == 1)
    #expect(cut.damaged == 2)
  }
}

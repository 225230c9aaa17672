import Foundation
import TestSupport
import Testing

@testable import Document
@testable import MacTools

/// Real Macs' output about themselves. Expectations come from reading the files.
@Suite(Captures.counted)
struct MacToolsMachineCaptureTests {
  private func kernel(_ name: String) throws -> KernelState { KernelState.read(try Captures.text("sysctl/" + name)) }

  private static let m1 = [
    CoreTier(name: "Performance", cores: 4, clusters: [4]), CoreTier(name: "Efficiency", cores: 4, clusters: [4]),
  ]

  @Test("core tiers as the kernel names them")
  func tiers() throws {
    #expect(try kernel("Hehongyuanlove__m1air_14.3_sysctl_hw.txt").coreTiers == Self.m1)
    // macOS 12 prints no names, but those of M1 and M2 are known.
    #expect(try kernel("zacky1972__m1_sysctl_hw.txt").coreTiers == Self.m1)
    #expect(try kernel("zacky1972__m2_sysctl_hw.txt").coreTiers == Self.m1)
    #expect(try kernel("archspec__monterey-m2.txt").coreTiers == Self.m1)
    #expect(
      try kernel("archspec__monterey-m1.txt").coreTiers == [
        CoreTier(name: "Performance", cores: 6, clusters: [3, 3]), CoreTier(name: "Efficiency", cores: 2, clusters: [2]),
      ])
    #expect(
      try kernel("ansible__m1pro_14.4.1_sysctl.txt").coreTiers == [
        CoreTier(name: "Performance", cores: 8, clusters: [4, 4]), CoreTier(name: "Efficiency", cores: 2, clusters: [2]),
      ])
    let tenAndFour = [
      CoreTier(name: "Performance", cores: 10, clusters: [5, 5]), CoreTier(name: "Efficiency", cores: 4, clusters: [4]),
    ]
    #expect(try kernel("archspec__sequoia-m3.txt").coreTiers == tenAndFour)
    #expect(try kernel("zacky1972__m4pro_sysctl_hw.txt").coreTiers == tenAndFour)
    #expect(try kernel("EverydayOpen__tirekick_vm_macos26.txt").coreTiers == [CoreTier(name: "Standard", cores: 3)])
    #expect(try kernel("glpi__intel_10.6_machdep.txt").coreTiers == nil)
    #expect(try kernel("glpi__m1_macos11_machdep.txt").coreTiers == nil)
  }

  @Test("chip, memory, model and whether it is a virtual machine")
  func kernels() throws {
    let pro = try kernel("ansible__m1pro_14.4.1_sysctl.txt")
    #expect(pro.chip == "Apple M1 Pro")
    #expect(pro.model == "MacBookPro18,1")
    #expect(pro.memoryBytes == 34_359_738_368)
    #expect(pro.processors == 10)
    #expect(pro.isVirtual == false)
    #expect(try kernel("archspec__sequoia-m3.txt").chip == "Apple M3 Max")
    #expect(try kernel("archspec__sequoia-m3.txt").memoryBytes == 38_654_705_664)
    #expect(try kernel("archspec__monterey-m2.txt").chip == "Apple M2")
    #expect(try kernel("glpi__m1_macos11_machdep.txt") == KernelState(chip: "Apple M1"))
    #expect(try kernel("glpi__intel_10.6_machdep.txt") == KernelState(chip: "Intel(R) Core(TM)2 Duo CPU P7550 @ 2.26GHz"))
    #expect(try kernel("unidentified-65842974857__lume_vm_hv.txt") == KernelState(isVirtual: true))
    let guest = try kernel("EverydayOpen__tirekick_vm_macos26.txt")
    #expect(guest.isVirtual == true)
    #expect(guest.model == "VirtualMac2,1")
    #expect(guest.memoryBytes == 7_516_192_768)
  }

  private func hardware(_ name: String) throws -> HardwareProfile? {
    HardwareProfile.read(try Captures.data("system_profiler/" + name))
  }

  @Test("the profiler's hardware report, JSON and text")
  func profiles() throws {
    let fourAndFour = [CoreTier(name: "Performance", cores: 4), CoreTier(name: "Efficiency", cores: 4)]
    #expect(
      try hardware("EverydayOpen__tirekick_m1_SPHardware.json")
        == HardwareProfile(
          model: "MacBookAir10,1", modelName: "MacBook Air", chip: "Apple M1", memoryBytes: 16 << 30, cores: 8,
          coreTiers: fourAndFour))
    #expect(
      try hardware("open-telemetry__java_m2air_macos15_SPHardware.json")
        == HardwareProfile(
          model: "Mac14,2", modelName: "MacBook Air", chip: "Apple M2", memoryBytes: 24 << 30, cores: 8,
          coreTiers: fourAndFour))
    #expect(try hardware("unidentified-27345174405__m2mbp13_SPHardware.json")?.model == "Mac14,7")
    #expect(
      try hardware("EverydayOpen__tirekick_vm_macos26_SPHardware.json")
        == HardwareProfile(
          model: "VirtualMac2,1", modelName: "Apple Virtual Machine 1", chip: "Apple M1 (Virtual)",
          memoryBytes: 7 << 30, cores: 3))
    // Under Rosetta in a virtual machine the chip is "Unknown".
    #expect(
      try hardware("veertu__ankavm_underRosetta_SPHardware.json")
        == HardwareProfile(model: "VirtualMac2,1", modelName: "Mac", memoryBytes: 14 << 30, cores: 6))
    #expect(
      try hardware("EverydayOpen__tirekick_imacpro_intel_SPHardware.json")
        == HardwareProfile(
          model: "iMacPro1,1", modelName: "iMac Pro", chip: "8-Core Intel Xeon W", memoryBytes: 32 << 30, cores: 8))
    #expect(
      try hardware("cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json")
        == HardwareProfile(model: "Mac16,7", modelName: "MacBook Pro", chip: "Apple M4 Pro", memoryBytes: 48 << 30))
    let eightAndTwo = [CoreTier(name: "Performance", cores: 8), CoreTier(name: "Efficiency", cores: 2)]
    #expect(
      try hardware("Dr-Noob__cpufetch183_m1pro_SPHardware_mini.txt")
        == HardwareProfile(
          model: "MacBookPro18,1", modelName: "MacBook Pro", chip: "Apple M1 Pro", memoryBytes: 16 << 30, cores: 10,
          coreTiers: eightAndTwo))
    #expect(try hardware("Dr-Noob__cpufetch183_m2pro_SPHardware_mini.txt")?.coreTiers?.map(\.cores) == [8, 4])
    #expect(
      try hardware("newrelic__m1max_SPHardware.txt")
        == HardwareProfile(
          model: "MacBookPro18,4", modelName: "MacBook Pro", chip: "Apple M1 Max", memoryBytes: 64 << 30, cores: 10,
          coreTiers: eightAndTwo))
    #expect(try hardware("EverydayOpen__tirekick_vm_macos26_SPNVMe.json") == nil)
  }

  @Test("versions, power and heat")
  func small() throws {
    let folder = "ioreg_pmset_swvers/"
    func version(_ name: String) throws -> SystemVersion { SystemVersion.read(try Captures.text(folder + name)) }
    #expect(try version("Code-Hex__vz196_sw_vers_26beta.txt") == SystemVersion(version: "26.0", build: "25A5346a"))
    #expect(try version("EverydayOpen__tirekick_vm_sw_vers.txt") == SystemVersion(version: "26.6.2", build: "25G83"))
    #expect(try version("unidentified-70603426800__imac_macos15_sw_vers.txt") == SystemVersion(version: "15.7.9", build: "24G830"))
    #expect(
      PowerState.read(try Captures.text(folder + "ThomasKaiser__m1air_pmset_batt.txt"))
        == PowerState(source: "battery", charge: 1, isCharging: false))
    #expect(
      PowerAdapter.read(try Captures.text(folder + "ThomasKaiser__m1air_pmset_ac.txt"))
        == PowerAdapter(power: 24, voltage: 15, current: 1.6))
    #expect(
      ThermalLimits.read(try Captures.text(folder + "unidentified-55714269086__pmset_therm_12cpu.txt"))
        == ThermalLimits(speedLimit: 1, schedulerLimit: 1, availableProcessors: 12, isWarning: false))
    func battery(_ name: String) throws -> BatteryProfile? {
      BatteryProfile.read(try Captures.data("system_profiler/" + name))
    }
    #expect(try battery("EverydayOpen__tirekick_vm_macos26_SPPower.json") == BatteryProfile(source: "ac"))
    #expect(
      try battery("cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json")
        == BatteryProfile(charge: 0.8, isCharging: false, cycles: 120, health: 0.91, chargerPower: 100))
    let charging = try #require(try battery("glpi__charging_SPPower.txt"))
    #expect(charging.source == "ac")
    #expect(charging.isCharging == true)
    #expect(charging.cycles == 125)
    #expect(charging.chargerPower == 60)
    #expect(try battery("glpi__charged_SPPower.txt")?.source == "ac")
  }

  @Test("the registry's frequency tables")
  func registry() throws {
    let text = try Captures.text("ioreg_pmset_swvers/ThomasKaiser__m1air_macos11_ioreg_pmgr.txt")
    let tables = try #require(FrequencyTables.read(text))
    // Decoded from the hexadecimal digits: 0046c323 is 600 MHz, 24067bc2 … .
    #expect(tables.tables[1]?.first == 600e6)
    #expect(tables.tables[1]?.count == 5)
    #expect(tables.tables[5]?.first == 600e6)
    #expect(tables.tables[5]?.count == 15)
    #expect(tables.clusters == [4, 4])
    let tiers = tables.adding(to: Self.m1)
    #expect(tiers[0].maxFrequency == 3204e6)
    #expect(tiers[1].maxFrequency == 2064e6)
    #expect(tiers[1].minFrequency == 600e6)
    #expect(FrequencyTables.read(try Captures.text("ioreg_pmset_swvers/ThomasKaiser__m1air_macos11_ioreg_root.txt")) == nil)
  }
}

import Foundation
import Testing

@testable import Document
@testable import MacTools

/// The oddities of MacToolsMachineCaptureTests in composed output, for clones without captures,
/// with tests of the same names.
@Suite struct ComposedMachineTests {
  /// Performance levels as the kernel counts them, fastest first.
  private func sysctl(_ levels: [(name: String?, cores: Int, shared: Int)], _ more: String = "") -> KernelState {
    var lines = ["hw.nperflevels: \(levels.count)", "hw.physicalcpu_max: \(levels.map(\.cores).reduce(0, +))"]
    for (number, level) in levels.enumerated() {
      if let name = level.name { lines.append("hw.perflevel\(number).name: \(name)") }
      lines.append("hw.perflevel\(number).physicalcpu_max: \(level.cores)")
      lines.append("hw.perflevel\(number).cpusperl2: \(level.shared)")
    }
    return KernelState.read(lines.joined(separator: "\n") + "\n" + more)
  }

  private static let fourAndFour = [
    CoreTier(name: "Performance", cores: 4, clusters: [4]), CoreTier(name: "Efficiency", cores: 4, clusters: [4]),
  ]

  @Test("core tiers as the kernel names them; without names, of an M1 and an M2; uneven, guests', and none")
  func tiers() {
    #expect(sysctl([("Performance", 4, 4), ("Efficiency", 4, 4)]).coreTiers == Self.fourAndFour)
    for family in ["machdep.cpu.brand_string: Apple M1\n", "hw.cpufamily: -634136515\n", "hw.cpufamily: 458787763\n", "machdep.cpu.brand_string: Apple M2\n"] {
      #expect(sysctl([(nil, 4, 4), (nil, 4, 4)], family).coreTiers == Self.fourAndFour, "\(family)")
    }
    #expect(sysctl([(nil, 4, 4), (nil, 4, 4)], "machdep.cpu.brand_string: Apple M9\n").coreTiers == nil)
    #expect(
      sysctl([(nil, 6, 3), (nil, 2, 2)], "machdep.cpu.brand_string: Apple M1 Pro\n").coreTiers == [
        CoreTier(name: "Performance", cores: 6, clusters: [3, 3]), CoreTier(name: "Efficiency", cores: 2, clusters: [2]),
      ])
    #expect(sysctl([("Performance", 10, 5), ("Efficiency", 4, 4)]).coreTiers?.map(\.clusters) == [[5, 5], [4]])
    #expect(sysctl([("Standard", 3, 3)], "kern.hv_vmm_present: 1\n").coreTiers == [CoreTier(name: "Standard", cores: 3)])
    #expect(KernelState.read("machdep.cpu.brand_string: Intel(R) Core(TM)2 Duo CPU P7550 @ 2.26GHz\nmachdep.cpu.core_count: 2\n").coreTiers == nil)
  }

  @Test("chip, memory, model and whether it is a virtual machine")
  func kernels() {
    let pro = KernelState.read(
      """
      hw.model: MacBookPro18,1
      hw.memsize: 34359738368
      hw.logicalcpu_max: 10
      hw.machine: arm64
      machdep.cpu.brand_string: Apple M1 Pro
      kern.hv_vmm_present: 0
      kern.osproductversioncompat: 10.16
      kern.hostname: neversent.local
      """)
    #expect(pro == KernelState(model: "MacBookPro18,1", chip: "Apple M1 Pro", architecture: "arm64", memoryBytes: 32 << 30, processors: 10, isVirtual: false))
    // The first systems on M1 gave it no name.
    #expect(KernelState.read("machdep.cpu.brand_string: Apple processor\n") == KernelState())
    #expect(KernelState.read("kern.hv_support: 0\nkern.hv_vmm_present: 1\n") == KernelState(isVirtual: true))
    #expect(KernelState.read("hw.model = VirtualMac2,1\nhw.memsize = 7516192768\n") == KernelState(model: "VirtualMac2,1", memoryBytes: 7 << 30, isVirtual: true))
  }

  private func hardware(_ entries: String) -> HardwareProfile? {
    HardwareProfile.read(Data("{\"SPHardwareDataType\": [{\"_name\": \"hardware_overview\", \(entries)}]}".utf8))
  }

  @Test("the profiler's hardware report, JSON and text")
  func profiles() {
    let base = #""machine_model": "Mac14,2", "machine_name": "MacBook Air", "chip_type": "Apple M2", "physical_memory": "24 GB""#
    #expect(
      hardware(base + #", "number_processors": "proc 8:4:4", "serial_number": "C02NEVERSENT""#)
        == HardwareProfile(
          model: "Mac14,2", modelName: "MacBook Air", chip: "Apple M2", memoryBytes: 24 << 30, cores: 8,
          coreTiers: [CoreTier(name: "Performance", cores: 4), CoreTier(name: "Efficiency", cores: 4)]))
    #expect(hardware(base)?.coreTiers == nil)
    // A guest's chip name has an extra word, under Rosetta none; both report vCPUs as a plain
    // number.
    let guest = hardware(#""machine_model": "VirtualMac2,1", "machine_name": "Apple Virtual Machine 1", "chip_type": "Apple M1 (Virtual)", "number_processors": 3, "physical_memory": "7 GB""#)
    #expect(guest == HardwareProfile(model: "VirtualMac2,1", modelName: "Apple Virtual Machine 1", chip: "Apple M1 (Virtual)", memoryBytes: 7 << 30, cores: 3))
    #expect(hardware(#""machine_model": "VirtualMac2,1", "machine_name": "Mac", "chip_type": "Unknown", "number_processors": 6"#) == HardwareProfile(model: "VirtualMac2,1", modelName: "Mac", cores: 6))
    #expect(hardware(#""machine_model": "iMacPro1,1", "machine_name": "iMac Pro", "cpu_type": "8-Core Intel Xeon W", "number_processors": 8"#)?.chip == "8-Core Intel Xeon W")
    let text = { (heading: String) in
      """
      Hardware:

          \(heading)

            Model Name: MacBook Pro
            Model Identifier: MacBookPro18,4
            Chip: Apple M1 Max
            Total Number of Cores: 10 (8 performance and 2 efficiency)
            Memory: 64 GB
            Serial Number (system): C02NEVERSENT

      """
    }
    for heading in ["Hardware Overview:", "Hardware overview:"] {
      #expect(
        HardwareProfile.read(Data(text(heading).utf8))
          == HardwareProfile(
            model: "MacBookPro18,4", modelName: "MacBook Pro", chip: "Apple M1 Max", memoryBytes: 64 << 30, cores: 10,
            coreTiers: [CoreTier(name: "Performance", cores: 8), CoreTier(name: "Efficiency", cores: 2)]))
    }
    #expect(HardwareProfile.read(Data(#"{"SPNVMeDataType": []}"#.utf8)) == nil)
  }

  @Test("versions, power and heat")
  func small() throws {
    #expect(SystemVersion.read("ProductName:\t\tmacOS\nProductVersion:\t\t26.6.2\nBuildVersion:\t\t25G83\n") == SystemVersion(version: "26.6.2", build: "25G83"))
    #expect(SystemVersion.read("ProductName:            macOS\nProductVersion:         26.0\nBuildVersion:           25A5346a\n") == SystemVersion(version: "26.0", build: "25A5346a"))
    let batt = "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=4522083)\t100%; discharging; (no estimate) present: true\n"
    #expect(PowerState.read(batt) == PowerState(source: "battery", charge: 1, isCharging: false))
    #expect(PowerAdapter.read(" Wattage = 24W\n Current = 1600mA\n Voltage = 15000mV\n AdapterID = 0x0000\n") == PowerAdapter(power: 24, voltage: 15, current: 1.6))
    let therm = "Note: No thermal warning level has been recorded\n2026-11-22 08:00:00 +0100 CPU Power notify\n\tCPU_Scheduler_Limit \t= 100\n\tCPU_Available_CPUs \t= 12\n\tCPU_Speed_Limit \t= 100\n"
    #expect(ThermalLimits.read(therm) == ThermalLimits(speedLimit: 1, schedulerLimit: 1, availableProcessors: 12, isWarning: false))
    #expect(ThermalLimits.read(therm).words(processors: 12) == nil)
    #expect(BatteryProfile.read(Data(#"{"SPPowerDataType": [{"_name": "sppower_information", "AC Power": {"Current Power Source": "TRUE"}}]}"#.utf8)) == BatteryProfile(source: "ac"))
    let charge = #"{"SPPowerDataType": [{"sppower_battery_charge_info": {"sppower_battery_state_of_charge": 80, "sppower_battery_is_charging": "FALSE"}, "sppower_battery_health_info": {"sppower_battery_cycle_count": 120, "sppower_battery_health_maximum_capacity": "91%"}}, {"sppower_ac_charger_watts": "100"}]}"#
    #expect(BatteryProfile.read(Data(charge.utf8)) == BatteryProfile(charge: 0.8, isCharging: false, cycles: 120, health: 0.91, chargerPower: 100))
    let older = "Power:\n\n    Battery Information:\n\n      Charge Information:\n          Charge Remaining (mAh): 2500\n          Charging: Yes\n          Full Charge Capacity (mAh): 5000\n      Health Information:\n          Cycle Count: 125\n    System Power Settings:\n      AC Power:\n          Current Power Source: Yes\n    AC Charger Information:\n      Wattage (W): 60\n"
    #expect(BatteryProfile.read(Data(older.utf8)) == BatteryProfile(source: "ac", charge: 0.5, isCharging: true, cycles: 125, chargerPower: 60))
  }

  @Test("the registry's frequency tables in hertz, as before M4; a root without them")
  func registry() throws {
    func table(_ steps: [UInt32]) -> String {
      steps.flatMap { [$0, 700] }.map { word in (0..<4).map { String(format: "%02x", word >> (8 * $0) & 0xff) }.joined() }.joined()
    }
    let text = """
      +-o pmgr  <class AppleARMIODevice, id 0x100000112, registered, matched, active, busy 0 (0 ms), retain 9>
        {
          "voltage-states1-sram" = <\(table([600_000_000, 972_000_000, 2_064_000_000]))>
          "voltage-states5-sram" = <\(table([600_000_000, 828_000_000, 3_204_000_000]))>
          "voltage-states8" = <\(table([900_000_000]))>
          "clusters" = <0400000004000000>
        }
      """
    let tables = try #require(FrequencyTables.read(text))
    #expect(tables.tables == [1: [600e6, 972e6, 2064e6], 5: [600e6, 828e6, 3204e6]])
    #expect(tables.clusters == [4, 4])
    let tiers = tables.adding(to: Self.fourAndFour)
    #expect(tiers.map(\.maxFrequency) == [3204e6, 2064e6])
    #expect(tiers[1].minFrequency == 600e6)
    #expect(FrequencyTables.read("+-o Root  <class IORegistryEntry, id 0x100000100, retain 22>\n  | {\n  |   \"IOKitBuildVersion\" = \"x\"\n  | }\n") == nil)
  }
}

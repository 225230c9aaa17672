import Base
import Document
import Foundation

/// Runner of macOS tools: returns a command's output; nil if it can't be run.
package typealias MacToolRunner = (_ command: [String]) -> Data?

/// The Mac's facts and present environment, from its tools. A missing tool, or unknown output,
/// costs only the facts that it alone provides.
package enum MacMachine {
  package static func read(_ run: MacToolRunner) -> MachineFacts {
    func text(_ command: [String]) -> String { run(command).map { String(decoding: $0, as: UTF8.self) } ?? "" }
    let kernel = KernelState.read(run(["sysctl"] + kernelNames).map { String(decoding: $0, as: UTF8.self) } ?? text(["sysctl", "-a"]))
    // The shortest report omits serial number and identifiers.
    let hardware = (run(["system_profiler", "-json", "-detailLevel", "mini", "SPHardwareDataType"])
      ?? run(["system_profiler", "-json", "SPHardwareDataType"])).flatMap(HardwareProfile.read)
    let isVirtual = kernel.isVirtual ?? MacModel.isVirtual(hardware?.model)
    var facts = MachineFacts()
    facts.model = kernel.model ?? hardware?.model
    facts.modelName = hardware?.modelName
    facts.chip = chip(kernel, hardware)
    facts.memoryBytes = kernel.memoryBytes ?? hardware?.memoryBytes
    facts.coreTiers = kernel.coreTiers ?? (isVirtual ? nil : hardware?.coreTiers)
    if !isVirtual {
      facts.gpuCores = GPUCores.read(text(["ioreg", "-w0", "-rc", "AGXAccelerator", "-d1"]))
        ?? run(["system_profiler", "-json", "SPDisplaysDataType"]).flatMap(HardwareProfile.read)?.gpuCores
      facts.coreTiers = completed(facts.coreTiers, by: FrequencyTables.read(text(["ioreg", "-w0", "-rn", "pmgr"])))
    }
    facts.platform = kernel.architecture.map { SystemKind.macOS.rawValue + "-" + $0 }
    facts.load = kernel.load.flatMap { load in kernel.processors.map { load / Double($0) } }
    facts.environment = environment(run, text)
    facts.limits = ThermalLimits.read(text(["pmset", "-g", "therm"])).words(processors: kernel.processors)
    if kernel.isTranslated == true { facts.environment.rosetta = true }
    if isVirtual {
      facts.environment.virtualMachine = VirtualMachine(
        vcpus: kernel.processors ?? hardware?.cores, memoryBytes: facts.memoryBytes,
        software: MacModel.virtualMachineSoftware(facts.model))
    }
    return facts
  }

  private static let kernelNames = [
    "hw", "hw.model", "machdep.cpu.brand_string", "sysctl.proc_translated", "kern.hv_vmm_present", "vm.loadavg",
  ]

  private static func environment(_ run: MacToolRunner, _ text: ([String]) -> String) -> EnvironmentRecord {
    var environment = EnvironmentRecord()
    let system = SystemVersion.read(text(["sw_vers"]))
    environment.osVersion = system.version
    environment.osBuild = system.build
    environment.powerSource = PowerState.read(text(["pmset", "-g", "batt"])).source
    environment.powerMode = PowerMode.read(text(["pmset", "-g"])).mode(source: environment.powerSource)
    let processes = BackgroundWork.read(text(["ps", "-Acxo", "%cpu=,comm="]))
    let backup = run(["tmutil", "status"]).flatMap { BackupStatus.read($0).isRunning }
    if processes != nil || backup != nil {
      environment.busy = Set((processes ?? []) + (backup == true ? ["backup"] : [])).sorted()
    }
    return environment
  }

  /// The chip's name. The profiler knows new Apple chips before the kernel does; for Intel the
  /// kernel knows more.
  private static func chip(_ kernel: KernelState, _ hardware: HardwareProfile?) -> String? {
    if let chip = hardware?.chip, chip.hasPrefix("Apple") { return chip }
    return kernel.chip ?? hardware?.chip
  }

  private static func completed(_ tiers: [CoreTier]?, by tables: FrequencyTables?) -> [CoreTier]? {
    guard let tiers, let tables else { return tiers }
    return tables.adding(to: tiers)
  }
}

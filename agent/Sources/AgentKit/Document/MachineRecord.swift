/// The machine of a run. `id` is made and kept by the agent; it says nothing about the hardware.
/// `chip` is the name as the system gives it; a name nobody has heard of is as good as any.
public struct MachineRecord: Codable, Equatable, Sendable {
  public var id: String
  public var unspecified: Bool?
  public var model: String?
  public var modelName: String?
  public var chip: String?
  public var gpuCores: Int?
  public var memoryBytes: Int?
  public var coreTiers: [CoreTier]?

  enum CodingKeys: String, CodingKey {
    case id, unspecified, model
    case modelName = "model_name"
    case chip
    case gpuCores = "gpu_cores"
    case memoryBytes = "memory_bytes"
    case coreTiers = "core_tiers"
  }
}

/// One tier of cores under Apple's own name for it, fastest tier first. Frequencies in hertz.
public struct CoreTier: Codable, Equatable, Sendable {
  public var name: String
  public var cores: Int
  public var clusters: [Int]?
  public var minFrequency: Double?
  public var maxFrequency: Double?

  enum CodingKeys: String, CodingKey {
    case name, cores, clusters
    case minFrequency = "min_frequency"
    case maxFrequency = "max_frequency"
  }
}

/// What surrounded a run and may explain its figures.
public struct EnvironmentRecord: Codable, Equatable, Sendable {
  public var osVersion: String?
  public var osBuild: String?
  public var powerSource: String?
  public var powerMode: String?
  public var thermalState: String?
  public var busy: [String]?
  public var rosetta: Bool?
  public var virtualMachine: VirtualMachine?

  enum CodingKeys: String, CodingKey {
    case osVersion = "os_version"
    case osBuild = "os_build"
    case powerSource = "power_source"
    case powerMode = "power_mode"
    case thermalState = "thermal_state"
    case busy, rosetta
    case virtualMachine = "virtual_machine"
  }
}

/// Present only in a virtual machine.
public struct VirtualMachine: Codable, Equatable, Sendable {
  public var vcpus: Int?
  public var memoryBytes: Int?
  public var software: String?
  public var hostMachineID: String?

  enum CodingKeys: String, CodingKey {
    case vcpus
    case memoryBytes = "memory_bytes"
    case software
    case hostMachineID = "host_machine_id"
  }
}

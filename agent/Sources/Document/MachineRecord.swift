/// The machine of a run. The agent creates `id`, which says nothing about the hardware. `chip` is
/// the name that the system reports; any name is accepted.
package struct MachineRecord: Codable, Equatable, Sendable {
  package var id: String
  package var unspecified: Bool?
  package var model: String?
  package var modelName: String?
  package var chip: String?
  package var gpuCores: Int?
  package var memoryBytes: Int?
  package var coreTiers: [CoreTier]?

  package init(
    id: String, unspecified: Bool? = nil, model: String? = nil, modelName: String? = nil, chip: String? = nil,
    gpuCores: Int? = nil, memoryBytes: Int? = nil, coreTiers: [CoreTier]? = nil
  ) {
    self.id = id
    self.unspecified = unspecified
    self.model = model
    self.modelName = modelName
    self.chip = chip
    self.gpuCores = gpuCores
    self.memoryBytes = memoryBytes
    self.coreTiers = coreTiers
  }

  package enum CodingKeys: String, CodingKey {
    case id, unspecified, model
    case modelName = "model_name"
    case chip
    case gpuCores = "gpu_cores"
    case memoryBytes = "memory_bytes"
    case coreTiers = "core_tiers"
  }
}

/// One tier of cores under Apple's name for it, fastest tier first. Frequencies in hertz.
package struct CoreTier: Codable, Equatable, Sendable {
  package var name: String
  package var cores: Int
  package var clusters: [Int]?
  package var minFrequency: Double?
  package var maxFrequency: Double?

  package init(
    name: String, cores: Int, clusters: [Int]? = nil, minFrequency: Double? = nil, maxFrequency: Double? = nil
  ) {
    self.name = name
    self.cores = cores
    self.clusters = clusters
    self.minFrequency = minFrequency
    self.maxFrequency = maxFrequency
  }

  package enum CodingKeys: String, CodingKey {
    case name, cores, clusters
    case minFrequency = "min_frequency"
    case maxFrequency = "max_frequency"
  }
}

/// Conditions during a run that may explain its results.
package struct EnvironmentRecord: Codable, Equatable, Sendable {
  package var osVersion: String?
  package var osBuild: String?
  package var powerSource: String?
  package var powerMode: String?
  package var thermalState: String?
  package var busy: [String]?
  package var rosetta: Bool?
  package var virtualMachine: VirtualMachine?

  package init(
    osVersion: String? = nil, osBuild: String? = nil, powerSource: String? = nil, powerMode: String? = nil,
    thermalState: String? = nil, busy: [String]? = nil, rosetta: Bool? = nil,
    virtualMachine: VirtualMachine? = nil
  ) {
    self.osVersion = osVersion
    self.osBuild = osBuild
    self.powerSource = powerSource
    self.powerMode = powerMode
    self.thermalState = thermalState
    self.busy = busy
    self.rosetta = rosetta
    self.virtualMachine = virtualMachine
  }

  package enum CodingKeys: String, CodingKey {
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
package struct VirtualMachine: Codable, Equatable, Sendable {
  package var vcpus: Int?
  package var memoryBytes: Int?
  package var software: String?
  package var hostMachineID: String?

  package init(vcpus: Int? = nil, memoryBytes: Int? = nil, software: String? = nil, hostMachineID: String? = nil) {
    self.vcpus = vcpus
    self.memoryBytes = memoryBytes
    self.software = software
    self.hostMachineID = hostMachineID
  }

  package enum CodingKeys: String, CodingKey {
    case vcpus
    case memoryBytes = "memory_bytes"
    case software
    case hostMachineID = "host_machine_id"
  }
}

import Document

/// One sample of `powermetrics`, from its text or its property list. SI units: hertz, watts, seconds;
/// shares are 0...1. Names of processes are never looked at.
package struct PowerSample: Codable, Hashable, Sendable {
  package struct Core: Codable, Hashable, Sendable {
    package var number: Int
    /// While it was active; nil where it never was.
    package var frequency: Double?
    package var active: Double?
    package var idle: Double?
    package var down: Double?
  }

  package struct Cluster: Codable, Hashable, Sendable {
    /// As the tool names it: "E", "P0", "M1", "S".
    package var name: String
    /// Of the hardware while it was active. nil where the tool says 0, as it does on some M3 and M4
    /// whose cores run all the same.
    package var frequency: Double?
    package var active: Double?
    package var idle: Double?
    package var down: Double?
    package var online: Double?
    /// Until macOS 12 only.
    package var power: Double?
    package var cores: [Core] = []

    /// What cores may be active while their cluster reads 0.00%: it is read a moment before or after them.
    private static let apart = 0.005

    /// A cluster that reads 0 MHz and 0% while its cores run was not read at all. With a frequency, or
    /// cores that hardly ran, 0% is a reading like others.
    func withoutImpossibleZeros() -> Cluster {
      var cluster = self
      if frequency == 0 { cluster.frequency = nil }
      let coresRan = cores.contains { ($0.active ?? 0) > Self.apart }
      if active == 0, (frequency ?? 0) == 0, coresRan {
        cluster.active = nil
        cluster.idle = nil
      }
      cluster.cores = cores.map { core in
        var core = core
        if core.frequency == 0 { core.frequency = nil }
        return core
      }
      return cluster
    }
  }

  package struct Graphics: Codable, Hashable, Sendable {
    package var frequency: Double?
    package var active: Double?
    package var idle: Double?
  }

  /// When it was taken, where the tool says so with its zone.
  package var time: Timestamp?
  /// Length of the sampled time.
  package var elapsed: Double?
  package var clusters: [Cluster] = []
  package var cpuPower: Double?
  package var gpuPower: Double?
  package var anePower: Double?
  /// "Combined Power": CPU, GPU and ANE, from macOS 13 on.
  package var combinedPower: Double?
  /// Until macOS 12 only.
  package var dramPower: Double?
  package var packagePower: Double?
  package var gpu: Graphics?
  /// "nominal", "moderate", "heavy" …: the thermal pressure, in lower case.
  package var thermalPressure: String?
  /// Charge of the battery, 0...1.
  package var charge: Double?

  /// Whether the sample holds anything at all.
  package var isEmpty: Bool {
    var bare = self
    bare.elapsed = nil
    bare.time = nil
    return bare == PowerSample()
  }
}

extension PowerSample {
  /// The tier that a cluster is of. Clusters are called by a letter and a number: E0, P1. Beside Super
  /// cores the letters changed: first M for Performance and P for Super, later P for Performance and S.
  /// Which it is shows in the others' letters; nil where it does not.
  package func tier(of cluster: Cluster, among tiers: [String]) -> String? {
    let letters = Set(clusters.compactMap(\.name.first))
    let name: String
    switch cluster.name.first {
    case "E": name = "Efficiency"
    case "S": name = "Super"
    case "M": name = "Performance"
    case "P" where letters.contains("S") || !tiers.contains("Super"): name = "Performance"
    case "P" where letters.contains("M") || !tiers.contains("Performance"): name = "Super"
    default: return nil
    }
    return tiers.contains(name) ? name : nil
  }
}

/// The Mac that a `powermetrics` file was made on.
package struct SampledMachine: Codable, Hashable, Sendable {
  package var model: String?
  package var osBuild: String?
}

/// One of the recordings in a file: several may have been joined.
package struct SampledRecording: Hashable, Sendable {
  package var machine = SampledMachine()
  /// How many samples of the file are before it.
  package var firstSample = 0
  /// Whether it ends within a sample.
  package var endsEarly = false
}

import Document

/// One sample of `powermetrics`, from its text or property list. SI units: hertz, watts, seconds;
/// shares are 0...1. Process names are never read.
package struct PowerSample: Codable, Hashable, Sendable {
  package struct Core: Codable, Hashable, Sendable {
    package var number: Int
    /// Frequency while active; nil if never active.
    package var frequency: Double?
    package var active: Double?
    package var idle: Double?
    package var down: Double?
  }

  package struct Cluster: Codable, Hashable, Sendable {
    /// The tool's name: "E", "P0", "M1", "S".
    package var name: String
    /// Hardware frequency while active. nil if the tool prints 0, as it does on some M3 and M4
    /// although their cores run.
    package var frequency: Double?
    package var active: Double?
    package var idle: Double?
    package var down: Double?
    package var online: Double?
    /// Until macOS 12 only.
    package var power: Double?
    package var cores: [Core] = []

    /// Active share that cores may have while their cluster reads 0.00%: it is read slightly before
    /// or after them.
    private static let apart = 0.005

    /// Drop impossible readings: a cluster at 0 MHz and 0% while its cores run was not read. With a
    /// frequency, or cores that hardly ran, 0% is a valid reading.
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

  /// When the sample was taken; nil unless the tool states the zone.
  package var time: Timestamp?
  /// Length of the sampled interval.
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

  /// Whether the sample holds no readings.
  package var isEmpty: Bool {
    var bare = self
    bare.elapsed = nil
    bare.time = nil
    return bare == PowerSample()
  }
}

extension PowerSample {
  /// The tier of a cluster. Clusters have a letter and a number: E0, P1. With Super cores the
  /// letters changed: first M for Performance and P for Super, later P for Performance and S. The
  /// other clusters' letters show which; nil if they don't.
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

/// The Mac that a `powermetrics` file was recorded on.
package struct SampledMachine: Codable, Hashable, Sendable {
  package var model: String?
  package var osBuild: String?
}

/// One recording in a file; several may have been concatenated.
package struct SampledRecording: Hashable, Sendable {
  package var machine = SampledMachine()
  /// Number of the file's samples before it.
  package var firstSample = 0
  /// Whether it ends within a sample.
  package var endsEarly = false
}

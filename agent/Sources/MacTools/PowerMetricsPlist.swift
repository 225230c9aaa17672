import Document
import Formats
import Foundation

/// A reader for one document of `powermetrics -f plist`: one sample, empty if the document covers
/// more than one sample's time (for example, everything since boot).
enum PowerMetricsPlist {
  static func read(_ document: Data) -> (sample: PowerSample, machine: SampledMachine)? {
    guard let value = XMLPropertyList.read(document), value["elapsed_ns"] != nil || value["processor"] != nil
    else { return nil }
    var sample = PowerSample()
    let machine = SampledMachine(
      model: value["hw_model"]?.text.flatMap { HardwareProfile.isModel($0) ? $0 : nil },
      osBuild: value["kern_osversion"]?.text.flatMap(SystemVersion.build))
    guard value["is_delta"]?.boolean != false else { return (sample, machine) }
    sample.time = time(document)
    sample.elapsed = value["elapsed_ns"]?.number.flatMap { $0 > 0 ? $0 / 1e9 : nil }
    if let processor = value["processor"] { take(processor, into: &sample) }
    if let gpu = value["gpu"] { takeGPU(gpu, into: &sample) }
    sample.thermalPressure = value["thermal_pressure"]?.text.flatMap { Reading.word($0[...]) }
    sample.charge = Reading.share(percent: value["battery"]?["percent_charge"]?.number)
    return (sample, machine)
  }

  /// Parse "<key>timestamp</key><date>2024-05-26T15:13:43Z</date>", near a document's start.
  private static func time(_ document: Data) -> Timestamp? {
    let beginning = String(decoding: document.prefix(4096), as: UTF8.self)
    guard let key = beginning.range(of: "<key>timestamp</key>") else { return nil }
    let rest = beginning[key.upperBound...].drop { $0.isWhitespace }
    guard rest.hasPrefix("<date>") else { return nil }
    return Moment.read(String(rest.dropFirst("<date>".count).prefix { $0 != "<" }))
  }

  private static func take(_ processor: ToolValue, into sample: inout PowerSample) {
    sample.clusters = processor["clusters"]?.items.compactMap { cluster($0, elapsed: sample.elapsed) } ?? []
    func power(_ name: String) -> Double? { Self.power(name, in: processor, elapsed: sample.elapsed) }
    sample.cpuPower = power("cpu")
    sample.gpuPower = power("gpu")
    sample.anePower = power("ane")
    sample.combinedPower = power("combined")
    sample.dramPower = power("dram")
    // Intel's value is in watts.
    sample.packagePower = power("package") ?? processor["package_watts"]?.number.flatMap { (0..<1e4).contains($0) ? $0 : nil }
  }

  private static func takeGPU(_ gpu: ToolValue, into sample: inout PowerSample) {
    let (active, idle, _) = shares(gpu)
    sample.gpu = PowerSample.Graphics(frequency: hertz(gpu["freq_hz"]?.number), active: active, idle: idle)
    sample.gpuPower = sample.gpuPower ?? power("gpu", in: gpu, elapsed: sample.elapsed)
  }

  /// Power in watts. "cpu_power" is in milliwatts; older systems report only "cpu_energy", in
  /// millijoules.
  private static func power(_ name: String, in values: ToolValue, elapsed: Double?) -> Double? {
    var milliwatts = values[name + "_power"]?.number
    if milliwatts == nil, let elapsed {
      milliwatts = values[name + "_energy"]?.number.map { $0 / elapsed }
    }
    return milliwatts.flatMap { $0 >= 0 && $0 < 1e7 ? Reading.plain($0 / 1000) : nil }
  }

  private static func cluster(_ value: ToolValue, elapsed: Double?) -> PowerSample.Cluster? {
    guard var name = value["name"]?.text else { return nil }
    if name.hasSuffix("-Cluster") { name.removeLast("-Cluster".count) }
    guard (1...8).contains(name.count) else { return nil }
    let (active, idle, down) = shares(value)
    var cluster = PowerSample.Cluster(name: name, frequency: hertz(value["freq_hz"]?.number))
    (cluster.active, cluster.idle, cluster.down) = (active, idle, down)
    cluster.online = share(value["online_ratio"])
    let milliwatts = value["power"]?.number ?? elapsed.flatMap { time in value["energy"]?.number.map { $0 / time } }
    cluster.power = milliwatts.flatMap { $0 >= 0 && $0 < 1e7 ? Reading.plain($0 / 1000) : nil }
    cluster.cores = value["cpus"]?.items.compactMap(core) ?? []
    return cluster.withoutImpossibleZeros()
  }

  private static func core(_ value: ToolValue) -> PowerSample.Core? {
    guard let number = value["cpu"]?.integer, (0..<4096).contains(number) else { return nil }
    let (active, idle, down) = shares(value)
    return PowerSample.Core(
      number: number, frequency: hertz(value["freq_hz"]?.number), active: active, idle: idle, down: down)
  }

  /// Frequency in hertz. "freq_hz" is in hertz for CPUs, but in megahertz for the GPU.
  private static func hertz(_ value: Double?) -> Double? {
    guard let value, value > 0, value < 1e11 else { return nil }
    return Reading.plain(value < 1e5 ? value * 1e6 : value)
  }

  /// Active, idle and down shares. Only idle is always printed. The rest counts as active, unless
  /// the states' own shares add up to less (then the difference was down).
  private static func shares(_ value: ToolValue) -> (active: Double?, idle: Double?, down: Double?) {
    let idle = share(value["idle_ratio"])
    let down = share(value["down_ratio"])
    guard let idle else { return (nil, nil, down) }
    let rest = Reading.plain(max(0, 1 - idle - (down ?? 0)))
    let states = value["dvfm_states"]?.items.compactMap { $0["used_ratio"]?.number } ?? []
    let used = states.reduce(0, +)
    return (down == nil && !states.isEmpty && used < rest - 0.001 ? Reading.plain(used) : rest, idle, down)
  }

  private static func share(_ value: ToolValue?) -> Double? {
    value?.number.flatMap { Reading.share(percent: $0 * 100) }
  }
}

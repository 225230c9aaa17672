/// The name of a metric in the server's catalogue: every one that this agent measures or imports, and
/// nowhere else.
public struct Metric: OpenName {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let diskWriteAverage = Metric("disk.write_average")
  public static let diskReadAverage = Metric("disk.read_average")
  public static let diskWriteFlushedAverage = Metric("disk.write_flushed_average")
  public static let diskWriteSpeed = Metric("disk.write_speed")
  public static let diskReadSpeed = Metric("disk.read_speed")
  public static let diskStreamReadSpeed = Metric("disk.stream_read_speed")
  public static let diskSustainedWriteSpeed = Metric("disk.sustained_write_speed")
  public static let diskLatency = Metric("disk.latency")

  public static let hashSpeed = Metric("hash.sha256_speed")
  public static let hashMemorySpeed = Metric("hash.sha256_memory_speed")

  public static let compressionDuration = Metric("compression.duration")
  public static let compressionSpeed = Metric("compression.speed")

  public static let coresFrequency = Metric("cores.frequency")
  public static let coresLoopRate = Metric("cores.loop_rate")
  public static let coresAddedLoopRate = Metric("cores.added_loop_rate")
  public static let coresTotalTime = Metric("cores.total_time")
  public static let coresSlowestThread = Metric("cores.slowest_thread")

  public static let powerCPUMaximum = Metric("power.cpu_max")
  public static let powerCPUTotal = Metric("power.cpu_total")
  public static let powerPerAddedThread = Metric("power.per_added_thread")
  public static let energyPerThread = Metric("energy.per_thread")

  public static let workloadDuration = Metric("workload.duration")
  public static let workloadUserTime = Metric("workload.user_time")
  public static let workloadSystemTime = Metric("workload.system_time")
  public static let workloadPeakMemory = Metric("workload.peak_memory")

  public static let scoreValue = Metric("score.value")
}

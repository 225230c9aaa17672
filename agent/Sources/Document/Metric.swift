/// The name of a metric in the server's catalogue. Every metric that this agent measures or imports
/// is declared here and nowhere else.
package struct Metric: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let diskWriteAverage = Metric("disk.write_average")
  package static let diskReadAverage = Metric("disk.read_average")
  package static let diskWriteFlushedAverage = Metric("disk.write_flushed_average")
  package static let diskWriteSpeed = Metric("disk.write_speed")
  package static let diskReadSpeed = Metric("disk.read_speed")
  package static let diskStreamReadSpeed = Metric("disk.stream_read_speed")
  package static let diskSustainedWriteSpeed = Metric("disk.sustained_write_speed")
  package static let diskLatency = Metric("disk.latency")
  package static let diskTrimSpeed = Metric("disk.trim_speed")

  package static let hashSpeed = Metric("hash.sha256_speed")
  package static let hashMemorySpeed = Metric("hash.sha256_memory_speed")

  package static let compressionDuration = Metric("compression.duration")
  package static let compressionSpeed = Metric("compression.speed")

  package static let coresFrequency = Metric("cores.frequency")
  package static let coresLoopRate = Metric("cores.loop_rate")
  package static let coresAddedLoopRate = Metric("cores.added_loop_rate")
  package static let coresTotalTime = Metric("cores.total_time")
  package static let coresSlowestThread = Metric("cores.slowest_thread")

  package static let powerCPUMaximum = Metric("power.cpu_max")
  package static let powerCPUTotal = Metric("power.cpu_total")
  package static let powerPerAddedThread = Metric("power.per_added_thread")
  package static let energyPerThread = Metric("energy.per_thread")

  package static let workloadDuration = Metric("workload.duration")
  package static let workloadUserTime = Metric("workload.user_time")
  package static let workloadSystemTime = Metric("workload.system_time")
  package static let workloadPeakMemory = Metric("workload.peak_memory")

  package static let scoreValue = Metric("score.value")
}

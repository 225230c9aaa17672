extension Metric {
  /// Its title in the server's catalogue. A metric unknown to this version keeps its name.
  package var title: String { Self.titles[rawValue] ?? rawValue }

  private static let titles = [
    "disk.write_average": "Write speed",
    "disk.read_average": "Read speed",
    "disk.write_flushed_average": "Write speed with flush",
    "disk.write_speed": "Write speed by file size",
    "disk.read_speed": "Read speed by file size",
    "disk.stream_read_speed": "Read speed, one large file",
    "disk.sustained_write_speed": "Sustained write speed",
    "disk.latency": "Latency of small transfers",
    "disk.trim_speed": "Trim speed",
    "hash.sha256_speed": "SHA-256 while reading",
    "hash.sha256_memory_speed": "SHA-256 from memory",
    "compression.duration": "Compression time",
    "compression.speed": "Compression speed",
    "cores.frequency": "Core frequency",
    "cores.loop_rate": "Loops per second",
    "cores.added_loop_rate": "Loops per second per added thread",
    "cores.total_time": "Time until all threads finish",
    "cores.slowest_thread": "Time of the slowest thread",
    "power.cpu_max": "CPU power, maximum",
    "power.cpu_total": "CPU power, total",
    "power.per_added_thread": "Extra power per added thread",
    "energy.per_thread": "Energy per thread",
    "workload.duration": "Workload time",
    "workload.user_time": "Workload user time",
    "workload.system_time": "Workload system time",
    "workload.peak_memory": "Workload peak memory",
    "score.value": "Score",
  ]
}

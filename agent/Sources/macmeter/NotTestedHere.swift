// What no test on Linux proves. Code in +Darwin files is type-checked against stubs
// (Tests/DarwinStubs); CI's macOS job compiles it for real and runs the tests there.
//
// Never run on Linux
// - DirectFile: F_NOCACHE; DeviceFlush: F_FULLFSYNC. The code doesn't rely on F_NOCACHE keeping
//   pages out: Residency checks after every eviction.
// - SmallWriteTests: that writes of 16 KiB leave no page in memory, and smaller ones do.
// - Residency: mincore and msync(MS_INVALIDATE) on APFS. If macOS keeps the pages, the run is
//   flagged reads_may_be_cached; it isn't reported as fast. StorageCache: that an image in use is
//   only inspected there.
// - RemountableVolume: diskutil unmount and mount of an external volume. Tests simulate them with a
//   directory that disappears and returns; that no open file survives, and that an unencrypted
//   volume returns without a prompt, relies on macOS.
// - AlignedMemory: memory aligned to Apple silicon's pages. Trim: that it is refused.
// - SystemKind: CLOCK_UPTIME_RAW, ProcessInfo.thermalState.
// - VolumeSpace through FileManager.
// - DiskImage and MacImageTools: hdiutil and diskutil. Options follow their manual pages and public
//   projects' usage; ASIF needs macOS 26.
// - AcceleratedKernels: loops through Accelerate (simd_dot, vdsp_mmul, sparse_multiply,
//   bnns_matmul). Each checks its own result: a wrong one is left out of the run and reported. The
//   three in assembly (loops_arm64) do run here, in an emulator (tools/kernels).
// - StreamingDigest through CryptoKit.
// - WorkloadMeasurement: SystemCaches through purge. CommandSpawn (command_spawn.c): that wait4
//   counts bytes there, according to its manual page.
// - BlockCompressor through Compression (LZFSE), FileSweep through AppleArchive with OpenFile,
//   ThreadSampler through proc_pidinfo (own_threads.c). A block that doesn't survive the round trip
//   ends the run.
// - ThreadTeam, ThreadQuality: that a quality of service puts threads on the tier its name says.
//   Every document marks this as assumed.
// - StateDirectory under ~/Library/Application Support, DurableFile and Ownership there; Identity's
//   seal with the platform UUID and, in a virtual machine, the network address of en0.
// - HTTP: macOS's URLSession; Linux has the open source one.
// - `macmeter power` live: PowerRecorder on a stream of a running powermetrics as root, with its
//   signals, and whether its samples are as punctual as requested. Saved streams are replayed.
// - `macmeter doctor --record` on a Mac: that every tool is run there, and that nothing private is
//   left in the files. Its redaction is tested on captured output.
// - Launchd: the job is parsed as a property list, and its commands are compared with a simulated
//   launchd; only CI's Mac has a real one.
// - Preferences through plutil, InstalledPackage through pkgutil, and the package itself, which
//   Packaging/build-pkg.sh builds on a Mac. The Homebrew formula has never been run.
// - Leftovers of a killed run: images found through hdiutil, running tools through ps.
//
// Parsed from examples and captures, never from a live tool
// - MacTools: sysctl, sw_vers, pmset, ps, tmutil, fdesetup, ioreg, df, diskutil, hdiutil,
//   system_profiler, powermetrics. Captured output was read from files only. No real sample was
//   available of SPNVMe with an external drive, a whole `diskutil info -plist` on Apple silicon,
//   `hdiutil imageinfo` of sparse bundles, ASIF and encrypted images, or a whole powermetrics of an
//   M1 Ultra, M2 Pro or Max, M3 Pro or any M5; nor of `diskutil info -plist` of a RAID set, a ZFS
//   data set, a drive in a slot or a VeraCrypt volume. For drives on two kinds of links at once the
//   tools don't say which is which: reported as `other`, unless a drive's model, or the Thunderbolt
//   port in its path (apciec1 for the second, according to other people's notes), distinguishes
//   them.
//
// Not proved anywhere yet
// - A power cut. Documents are flushed before they are renamed, and directories after; whether the
//   device honours a flush is beyond our control.

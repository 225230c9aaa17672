// What no test on Linux proves. Code in +Darwin files is type-checked against stubs (Tests/DarwinStubs);
// the continuous integration's macOS job compiles them for real and runs the tests there.
//
// Never run on Linux
// - DirectFile: F_NOCACHE; DeviceFlush: F_FULLFSYNC. That F_NOCACHE keeps pages out is not relied upon:
//   Residency asks after every eviction.
// - SmallWriteTests: that writes of 16 KiB leave no page in memory, and smaller ones do.
// - Residency: mincore and msync(MS_INVALIDATE) on APFS. If macOS keeps the pages, the run is
//   flagged reads_may_be_cached; it does not come out fast. StorageCache: that an image in use is only
//   looked at there.
// - RemountableVolume: diskutil unmount and mount of an external volume. Their words are played by a
//   directory that goes away and comes back; that no file open anywhere survives it, and that a volume
//   without encryption comes back without a question, is macOS's word.
// - AlignedMemory: memory aligned to the pages of Apple silicon. Trim: that it is refused.
// - SystemKind: CLOCK_UPTIME_RAW, ProcessInfo.thermalState.
// - VolumeSpace through FileManager.
// - DiskImage and MacImageTools: hdiutil and diskutil. Options after their manual pages and after how
//   public projects call them; ASIF needs macOS 26.
// - AcceleratedKernels: loops through Accelerate (simd_dot, vdsp_mmul, sparse_multiply, bnns_matmul). Each
//   checks its own result: one that comes out wrong is left out of the run and said to be. The three in
//   assembly (loops_arm64) do run here, in an emulator (tools/kernels).
// - StreamingDigest through CryptoKit.
// - WorkloadMeasurement: SystemCaches through purge. CommandSpawn (command_spawn.c): that wait4 counts
//   bytes there, after its manual page.
// - BlockCompressor through Compression (LZFSE), FileSweep through AppleArchive with OpenFile,
//   ThreadSampler through proc_pidinfo (own_threads.c). A block that does not come back as it was ends the run.
// - ThreadTeam, ThreadQuality: that a quality of service brings threads to the tier its name says. Said to be
//   assumed in every document.
// - StateDirectory under ~/Library/Application Support, DurableFile and Ownership there; Identity's seal
//   with the platform UUID and, in a virtual machine, the network address of en0.
// - HTTP: URLSession as macOS has it; Linux has the open source one.
// - `macmeter power` as it runs: PowerRecorder on a stream of a live powermetrics as root, with its
//   signals, and whether its samples are as punctual as asked. Kept streams are replayed.
// - `macmeter doctor --record` on a Mac: that every tool is asked there, and that nothing private is
//   left in what it writes. What it takes out is tested on captured output.
// - Launchd: the job is read as a property list, and its commands are compared with a played launchd; only
//   the continuous integration's Mac has one that takes it.
// - Preferences through plutil, InstalledPackage through pkgutil, and the package itself, which
//   Packaging/build-pkg.sh makes on a Mac. The Homebrew formula was run by nobody.
// - Leftovers of a killed run: images found through hdiutil, tools at work through ps.
//
// Parsed from examples and captures, never from a live tool
// - MacTools: sysctl, sw_vers, pmset, ps, tmutil, fdesetup, ioreg, df, diskutil, hdiutil,
//   system_profiler, powermetrics. Their captured outputs were read from files only. No real sample was
//   seen of SPNVMe with an external drive, of a whole `diskutil info -plist` on Apple silicon, of
//   `hdiutil imageinfo` of sparse bundles, ASIF and encrypted images, of a whole powermetrics of an M1
//   Ultra, M2 Pro or Max, M3 Pro or any M5; nor, of `diskutil info -plist`, one of a RAID set, a data set
//   of ZFS, a drive in a slot or a VeraCrypt volume. Of drives on two kinds of links at once the tools do not
//   say which is which: reported as `other`, unless a drive's model, or the Thunderbolt socket in its
//   path (apciec1 for the second, after other people's notes), tells them apart.
//
// Not proved anywhere yet
// - A power cut. Documents are flushed before they are renamed and directories after; that the
//   device keeps its word is its own affair.

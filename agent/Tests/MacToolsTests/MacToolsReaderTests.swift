import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Formats
@testable import MacTools

/// The readers on our own examples, which need no captures.
@Suite struct MacToolsReaderTests {
  @Test("Super cores, three tiers, and a guest under Rosetta")
  func kernels() throws {
    let superCores = KernelState.read(try Fixtures.text("sysctl_super.txt"))
    #expect(
      superCores.coreTiers == [
        CoreTier(name: "Super", cores: 6, clusters: [6]), CoreTier(name: "Performance", cores: 12, clusters: [6, 6]),
      ])
    #expect(superCores.load == 3.6)
    #expect(superCores.isTranslated == false)
    let three = KernelState.read(try Fixtures.text("sysctl_three_tiers.txt"))
    #expect(three.coreTiers?.map(\.name) == ["Super", "Performance", "Efficiency"])
    let guest = KernelState.read(try Fixtures.text("sysctl_rosetta_guest.txt"))
    #expect(guest.coreTiers == [CoreTier(name: "Standard", cores: 4)])
    #expect(guest.chip == nil)
    #expect(guest.isTranslated == true)
    #expect(guest.isVirtual == true)
  }

  @Test("core tiers are whole or none")
  func wholeTiers() throws {
    let text = try Fixtures.text("sysctl_three_tiers.txt")
    func without(_ line: String) -> [CoreTier]? {
      KernelState.read(text.replacingOccurrences(of: line + "\n", with: "")).coreTiers
    }
    #expect(without("hw.perflevel2.physicalcpu: 6") == nil)
    #expect(without("hw.perflevel0.physicalcpu: 2") == nil)
    // No name, and a chip that isn't known to have two named tiers.
    #expect(without("hw.perflevel1.name: Performance") == nil)
    #expect(KernelState.read(text.replacingOccurrences(of: "hw.physicalcpu: 12", with: "hw.physicalcpu: 14")).coreTiers == nil)
  }

  @Test("core counts in one, three and four numbers; other languages")
  func hardware() throws {
    func read(_ name: String) throws -> HardwareProfile? { HardwareProfile.read(try Fixtures.data(name)) }
    #expect(
      try read("hardware_super.json")?.coreTiers
        == [CoreTier(name: "Super", cores: 6), CoreTier(name: "Performance", cores: 12)])
    let fourFields = try #require(try read("hardware_four_fields.json"))
    #expect(fourFields.coreTiers?.map(\.name) == ["Performance", "Efficiency"])
    #expect(fourFields.memoryBytes == 64 << 30)
    #expect(
      try read("hardware_french.txt")
        == HardwareProfile(model: "Mac16,10", modelName: "Mac mini", chip: "Apple M4", memoryBytes: 16 << 30, cores: 10))
    #expect(try read("displays.json")?.gpuCores == 20)
    // Two tiers of an M5; this report doesn't give the first one's name.
    let unnamed = #"{"SPHardwareDataType":[{"chip_type":"Apple M5","number_processors":"proc 10:4:6:0"}]}"#
    #expect(HardwareProfile.read(Data(unnamed.utf8)) == HardwareProfile(chip: "Apple M5", cores: 10))
    let odd = #"{"SPHardwareDataType":[{"chip_type":"Apple M4","number_processors":"proc 10:4:5"}]}"#
    #expect(HardwareProfile.read(Data(odd.utf8))?.coreTiers == nil)
  }

  @Test("what somebody took out is unknown; wide punctuation is punctuation")
  func redacted() throws {
    for text in ["<redacted>", "[REDACTED]", "Redacted by owner", "XXXX", "****", "xxxx-xxxx", "(null)", "N/A", "█████", "…", "<serial number>", "[model]"] {
      #expect(Redacted.isPlaceholder(text), "\(text)")
    }
    for text in ["", "/", "0", "Mac mini", "Apple M4", "Xserve", "disk4", "1.0", "{ 0.42 0.51 }"] {
      #expect(!Redacted.isPlaceholder(text), "\(text)")
    }
    let report = #"{"SPHardwareDataType":[{"chip_type":"<redacted>","machine_model":"REDACTED","machine_name":"[removed]","number_processors":"XX","physical_memory":"***"}]}"#
    #expect(HardwareProfile.read(Data(report.utf8)) == HardwareProfile())
    let kernel = KernelState.read("hw.model: REDACTED\nmachdep.cpu.brand_string: <redacted>\nhw.memsize: -1\nhw.ncpu: xx\n")
    #expect(kernel == KernelState())
    let wide = "硬件概览：\n  型号名称：Mac mini\n  型号标识符：Mac16,11\n  芯片：Apple M4 Pro\n  核总数：14（10性能和4能效）\n  内存：24 GB\n"
    #expect(
      HardwareProfile.read(Data(wide.utf8))
        == HardwareProfile(model: "Mac16,11", modelName: "Mac mini", chip: "Apple M4 Pro", memoryBytes: 24 << 30, cores: 14))
    // A device whose protocol was redacted may still be the drive, so which one it is stays open.
    let tree = #"{"SPThunderboltDataType":[{"_items":[{"device_name_key":"Case","mode_key":"<redacted>"}]}]}"#
    #expect(ThunderboltTree.read(Data(tree.utf8))?.all.map(\.device.storage) == [.other])
  }

  @Test("numbers and amounts in other regions' words")
  func quantities() {
    #expect(Quantity.number("41,94") == 41.94)
    #expect(Quantity.number("1.234,5") == 1234.5)
    #expect(Quantity.number("1,234.5") == 1234.5)
    #expect(Quantity.number("1 234,5") == 1234.5)
    #expect(Quantity.number("1\u{202f}234") == 1234)
    #expect(Quantity.number("٤١٫٥") == 41.5)
    #expect(Quantity.number(".81") == 0.81)
    #expect(Quantity.number("12 8 4") == nil)
    #expect(Quantity.number("nan") == nil)
    #expect(Quantity.number("inf") == nil)
    #expect(Quantity.memory("16 Go") == 16 << 30)
    #expect(Quantity.memory("16 ГБ") == 16 << 30)
    #expect(Quantity.storage("1,02 To") == 1_020_000_000_000)
    #expect(Quantity.storage("251 GB") == 251_000_000_000)
    #expect(Quantity.storage("many") == nil)
    #expect(Quantity.bitRate("40 Gb/s") == 40e9)
    #expect(Quantity.bitRate("480 Mb/s") == 480e6)
    #expect(Quantity.bitRate("80 Gbit/s") == 80e9)
    for port in ["Up to 120 Gb/s", "Jusqu’à 40 Gb/s", "Até 40 Gb/s", "最大40Gb/s", "40 Gb/s'ye kadar", "40 GB", ""] {
      #expect(Quantity.bitRate(port) == nil)
    }
    #expect(Quantity.bytesInBrackets("251,0 GB (251.000.193.024 Bytes) (genau 490234752)") == 251_000_193_024)
    #expect(YesNo.read("Yes (Unlocked)") == true)
    #expect(YesNo.read("Não") == false)
    #expect(YesNo.read("Not applicable (no file system)") == nil)
  }

  @Test("the registry: frequencies in kilohertz, kinds of clusters, numbers that wrapped")
  func registry() throws {
    let m4 = try #require(FrequencyTables.read(try Fixtures.text("ioreg_pmgr_m4.txt")))
    #expect(m4.tables == [1: [1020e6, 1404e6, 2592e6], 5: [1260e6, 2352e6, 4512e6]])
    #expect(m4.clusters == [4, 5, 5])
    let unclustered = [CoreTier(name: "Performance", cores: 10), CoreTier(name: "Efficiency", cores: 4)]
    #expect(m4.adding(to: unclustered).map(\.clusters) == [[5, 5], [4]])
    let binned = [CoreTier(name: "Performance", cores: 8), CoreTier(name: "Efficiency", cores: 4)]
    #expect(m4.adding(to: binned).map(\.clusters) == [nil, nil])
    let m5 = try #require(FrequencyTables.read(try Fixtures.text("ioreg_pmgr_m5.txt")))
    let tiers = m5.adding(to: [CoreTier(name: "Super", cores: 6), CoreTier(name: "Performance", cores: 12)])
    #expect(tiers.map(\.maxFrequency) == [4608e6, 4380e6])
    // It is unknown whose tables these are.
    #expect(m4.adding(to: [CoreTier(name: "Super", cores: 6)]) == [CoreTier(name: "Super", cores: 6)])
    let battery = try #require(BatteryTelemetry.read(try Fixtures.data("ioreg_battery.txt")))
    #expect(
      battery
        == BatteryTelemetry(
          voltage: 12.08, current: -0.92, isCharging: false, isExternalConnected: false, cycles: 42, systemPower: 11.03,
          inputPower: 0))
    #expect(GPUCores.read(try Fixtures.text("ioreg_gpu.txt")) == 20)
    let cut = try Fixtures.text("ioreg_pmgr_m4.txt").replacingOccurrences(of: "00>", with: "00$")
    #expect(FrequencyTables.read(cut)?.tables[5] == nil)
  }

  @Test("images attached, described and by their first bytes")
  func images() throws {
    let attached = try Fixtures.data("hdiutil_info.plist")
    let images = try #require(AttachedImages.read(attached))
    #expect(images.image(with: "disk9s1")?.format == .sparseBundle)
    #expect(images.image(with: "disk9s1")?.isEncrypted == true)
    #expect(images.image(with: "disk9s1")?.capacityBytes == 100_000_000_000)
    #expect(images.image(with: "disk21s1")?.format == nil)
    #expect(AttachedImages.path(ofImageWith: "disk9", in: attached) == "/Volumes/Never Sent/Test.sparsebundle")
    let text = try Fixtures.data("hdiutil_info.txt")
    #expect(AttachedImages.read(text)?.image(with: "disk5s1")?.format == .sparseImage)
    #expect(AttachedImages.path(ofImageWith: "disk5s1", in: text) == "/Users/neversent/a: b.sparseimage")
    #expect(
      ImageDescription.read(try Fixtures.data("imageinfo_encrypted.plist"))
        == ImageDescription(format: .sparseBundle, encryption: .imageAES256, capacityBytes: 100_000_000_000))
    #expect(
      ImageDescription.read(try Fixtures.data("image_info_asif.plist"))
        == ImageDescription(format: .asif, encryption: .unencrypted, capacityBytes: 107_374_182_400))
    #expect(ImageDescription.read(Data("hdiutil: imageinfo failed - Resource temporarily unavailable\n".utf8)) == nil)
    func header(_ bits: UInt8) -> Data {
      Data("encrcdsa".utf8) + Data([0, 0, 0, 2, 0, 0, 0, 16, 0, 0, 0, 5, 128, 0, 0, 1, 0, 0, bits == 0 ? 1 : 0, bits])
    }
    #expect(ImageDescription.header(header(0))?.encryption == .imageAES256)
    #expect(ImageDescription.header(header(128))?.encryption == .imageAES128)
    #expect(ImageDescription.header(header(64))?.encryption == .unknown)
    #expect(ImageDescription.header(Data("shdw".utf8) + Data(repeating: 0, count: 60))?.format == .asif)
    #expect(ImageDescription.header(Data(repeating: 0, count: 64)) == nil)
    #expect(ImageDescription.format(code: "UDRW") == .raw)
    #expect(ImageDescription.format(code: "RAW*") == .raw)
    #expect(ImageDescription.format(code: "UDSP") == .sparseImage)
    #expect(ImageDescription.format(code: "ULFO") == .other)
  }

  @Test("backups, indexing, background work, power")
  func background() throws {
    #expect(BackupStatus.read(try Fixtures.data("tmutil.txt")) == BackupStatus(isRunning: true, progress: 0.25))
    let idle = "Backup session status:\n{\n    ClientID = \"com.apple.backupd\";\n    Percent = \"-1\";\n    Running = 0;\n}\n"
    #expect(BackupStatus.read(Data(idle.utf8)) == BackupStatus(isRunning: false))
    #expect(IndexingStatus.read(try Fixtures.text("mdutil.txt")).isEnabled == [true, false, nil])
    #expect(BackgroundWork.read(" 45,0 mds_stores\n 99.0 Secret Project\n  3.0 backupd\n") == ["indexing"])
    #expect(BackgroundWork.read("") == nil)
    let custom = PowerMode.read(try Fixtures.text("pmset_custom.txt"))
    #expect(custom.bySource == ["battery": "low", "ac": "high"])
    #expect(custom.mode(source: "ac") == "high")
    #expect(PowerMode.read(try Fixtures.text("pmset_live.txt")).mode(source: nil) == "low")
    #expect(PowerMode.read("Currently in use:\n lowpowermode 0\n highpowermode 1\n").inUse == "high")
    #expect(PowerMode.read("Currently in use:\n powermode 7\n") == PowerMode())
    #expect(PowerState.read("Now drawing from 'AC Power'\n") == PowerState(source: "ac"))
    let charging = " -InternalBattery-0 (id=1)\t55%; charging; 1:02 remaining present: true\n"
    #expect(PowerState.read("Now drawing from 'AC Power'\n" + charging).isCharging == true)
    #expect(ThermalLimits.read("Note: No CPU power status has been recorded\n") == ThermalLimits())
    for unlimited in ["", "Note: No thermal warning level has been recorded\n", "CPU_Speed_Limit = 100\nThermal Warning Level = 0\n", "CPU_Speed_Limit = nope"] {
      #expect(ThermalLimits.read(unlimited).words(processors: 8) == nil, "\(unlimited)")
    }
    let held = ThermalLimits.read(try Fixtures.text("pmset_therm.txt"))
    #expect(held == ThermalLimits(speedLimit: 0.23, schedulerLimit: 0.4, availableProcessors: 8, isWarning: false))
    #expect(held.words(processors: 8) == "processor held to 23% of its speed, 40% of its time given out")
    #expect(held.words(processors: 12) == "processor held to 23% of its speed, 40% of its time given out, 8 of 12 processors in use")
    #expect(ThermalLimits.read("CPU_Speed_Limit \t= 80\n").words(processors: nil) == "processor held to 80% of its speed")
    #expect(ThermalLimits.read("2026-11-22 08:00:00 +0100 Thermal Warning Level = 5\n").words(processors: nil) == "thermal warning recorded")
    #expect(
      BatteryProfile.read(try Fixtures.data("power.json"))
        == BatteryProfile(source: "ac", charge: 0.55, isCharging: true, cycles: 7, health: 0.99, chargerPower: 96))
    let deferred = FileVaultStatus.read("FileVault is Off.\nDeferred enablement appears to be active for user 'x'.\n")
    #expect(deferred == FileVaultStatus(isOn: false, isPending: true))
    #expect(
      SystemVersion.read(try Fixtures.text("sw_vers.txt")) == SystemVersion(version: "26.4 (a)", build: "25E246"))
  }

  @Test("powermetrics: text and property lists, a task that is called like a reading")
  func power() throws {
    let text = PowerMetricsStream.read(try Fixtures.data("powermetrics.txt")).samples
    #expect(text.map(\.cpuPower) == [1.673, 2.673])
    #expect(text[0].clusters.map(\.name) == ["P0", "S"])
    #expect(text[0].clusters.map(\.frequency) == [1344e6, 4120e6])
    #expect(text[0].clusters[0].down == 0.1)
    #expect(text[0].gpuPower == 0.56)
    let lists = PowerMetricsStream.read(try Fixtures.data("powermetrics.plist"))
    #expect(lists.samples.map(\.cpuPower) == [1.673, 2.673])
    #expect(lists.samples[0].clusters[0].active == 0.5)
    #expect(lists.samples[0].clusters[0].down == 0.1)
    #expect(lists.samples[0].clusters[1].frequency == nil)
    // The rest was down, which this document doesn't say.
    #expect(lists.samples[0].clusters[1].cores == [PowerSample.Core(number: 6, active: 0, idle: 0.13)])
    #expect(lists.samples[0].gpu?.frequency == 338e6)
    let traces = PowerTrace.traces(text)
    #expect(traces.map(\.kind) == ["power", "gpu", "cpu", "core"])
    #expect(traces[0].columns == ["t", "cpu", "gpu", "ane", "combined"])
    #expect(traces[0].rows[1][0] == .number(0.1))
    #expect(traces[2].columns == ["t", "cluster", "frequency", "active_residency", "idle_residency", "down_residency", "online"])
    let loaded = PowerSummary.of(text, phase: "loaded")
    #expect(loaded.cpuPower?.mean == 2.173)
    #expect(abs((loaded.cpuPower?.deviation ?? 0) - 0.5.squareRoot()) < 1e-9)
    #expect(PowerSummary.of(text, phase: "quiet", between: 0.1...0.21).cpuPower?.samples == 1)
    #expect(PowerSummary.of(text, phase: "quiet", between: 5...6).cpuPower == nil)
  }

  @Test("powermetrics: a list of online cores isn't read as a share")
  func online() {
    let text = "E-Cluster Online: 0-3\nE-Cluster HW active frequency: -- MHz\nE-Cluster idle residency:  30.00%\n"
    #expect(PowerMetricsStream.read(Data(text.utf8)).samples.first?.clusters == [PowerSample.Cluster(name: "E", idle: 0.3)])
  }

  @Test("powermetrics of Intel Macs tells what the package draws; a build that was taken out is none")
  func intelPower() {
    let text = """
      OS version: <redacted>
      *** Sampled system activity (x) (5003.21ms elapsed) ***
      Intel energy model derived package power (CPUs+GT+SA): 3.20W
      Cores Active: 15.06%
      CPU 0 duty cycles/s: active/idle [< 16 us: 1.00/2.00]
      """
    let read = PowerMetricsStream.read(Data(text.utf8))
    #expect(read.samples == [PowerSample(elapsed: 5.00321, packagePower: 3.2)])
    #expect(read.machine == SampledMachine())
    let list = "<plist><dict><key>elapsed_ns</key><integer>1000000000</integer><key>kern_osversion</key><string>a name</string>"
      + "<key>processor</key><dict><key>package_watts</key><real>3.2</real></dict></dict></plist>"
    #expect(PowerMetricsStream.read(Data(list.utf8)).samples == [PowerSample(elapsed: 1, packagePower: 3.2)])
    #expect(PowerMetricsStream.read(Data(list.utf8)).machine == SampledMachine())
  }

  @Test("property lists: entities, comments, what is damaged")
  func propertyLists() {
    func read(_ text: String) -> ToolValue? { XMLPropertyList.read(Data(text.utf8)) }
    #expect(read("<plist><dict><!-- <key> --><key>a&amp;b</key><string>&lt;&#65;&#x42;&nope;</string></dict></plist>")?["a&b"]?.text == "<AB")
    #expect(read("<plist><integer>18446744073709551615</integer></plist>") == .int(-1))
    #expect(read("<plist><dict><key>a</key><dict/></dict></plist>")?["a"] == .dictionary([:]))
    #expect(read("<plist><dict><key>a</key><true/>") == nil)
    #expect(read("<plist><dict><string>a</string></dict></plist>") == nil)
    #expect(read("<plist><array><string>a</array></plist>") == nil)
    #expect(read(String(repeating: "<array>", count: 5000)) == nil)
    #expect(ToolValue(Data(String(repeating: "[", count: 100_000).utf8)) == nil)
  }

  @Test("JSON: notes around it, escapes, what is damaged")
  func json() {
    func read(_ text: String) -> ToolValue? { JSONReader.read(Data(text.utf8)) }
    #expect(read("note: x\n{\"a\": [1, 2.5, true, null, \"\\u02c7\\ud83d\\ude00\\n\"]}\nmore")?["a"] == .array([.int(1), .double(2.5), .bool(true), .other, .string("ˇ😀\n")]))
    #expect(read("{\"a\": \"b\rc\"}")?["a"] == .string("b\rc"))
    #expect(read("{}") == .dictionary([:]))
    #expect(read("note [W(1)][12%] [0]\n {\"a\": 1}")?["a"] == .int(1))
    #expect(JSONReader.readAll(Data("{}\n[1]\nnote\n{\"a\": 1}{".utf8)).count == 3)
    for damaged in ["{\"a\": }", "{\"a\" 1}", "[1 2]", "{\"a\": 1", "[\"\\u12\"]", "[1e999]", "[nana]", "{a: 1}", "[\"a"] {
      #expect(read(damaged) == nil)
    }
    #expect(ToolValue(Data()) == nil)
    // Invalid numbers are missing, and their keys are reported.
    let gaps = JSONReader.readAll(Data("{\"a\": nan, \"b\": [1, -nan], \"c\": 2}\n{\"d\": 1}".utf8))
    #expect(gaps.map(\.gaps) == [["a", "b"], []])
    #expect(gaps[0].value["c"] == .int(2) && gaps[0].value["a"] == .other)
    #expect(JSONReader.damagedLine(Data("x\n{\"a\": 1,\n\n\"b\": ?}".utf8)) == 4)
    #expect(JSONReader.damagedLine(Data("{\"a\": 1}".utf8)) == nil)
  }
}

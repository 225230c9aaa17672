import Foundation
import Testing

@testable import AgentKit

/// What macOS's tools print, in examples of our own made from the formats' facts.
@Suite struct MacTests {
  static let tools = [
    "sysctl hw.model hw.memsize hw.ncpu hw.nperflevels hw.perflevel0 hw.perflevel1 hw.perflevel2 "
      + "machdep.cpu.brand_string sysctl.proc_translated kern.hv_vmm_present vm.loadavg": """
        hw.model: Mac99,1
        hw.memsize: 51539607552
        hw.ncpu: 14
        hw.perflevel0.physicalcpu: 10
        hw.perflevel0.cpusperl2: 5
        hw.perflevel0.name: Performance
        hw.perflevel1.physicalcpu: 4
        hw.perflevel1.cpusperl2: 4
        hw.perflevel1.name: Efficiency
        machdep.cpu.brand_string: Apple processor
        sysctl.proc_translated: 0
        kern.hv_vmm_present: 0
        vm.loadavg: { 1.40 1.20 1.10 }
        """,
    "system_profiler -json SPHardwareDataType":
      #"{"SPHardwareDataType":[{"chip_type":"Apple M4 Pro","machine_name":"Mac mini","serial_number":"NEVERSENT123"}]}"#,
    "system_profiler -json SPDisplaysDataType": #"{"SPDisplaysDataType":[{"sppci_cores":"20"}]}"#,
    "sw_vers": "ProductName:\t\tmacOS\nProductVersion:\t\t26.4\nBuildVersion:\t\t25E246\n",
    "pmset -g batt": "Now drawing from 'AC Power'\n -InternalBattery-0\t100%; charged\n",
    "pmset -g": "System-wide power settings:\n powermode            2\n sleep 1\n",
    "ps -Acxo %cpu=,comm=": " 45.0 mds_stores\n  0.1 Finder\n 99.0 Secret Project\n",
  ]

  @Test("facts of a Mac")
  func facts() {
    let facts = MacFacts.read(.test(tools: Self.tools))
    #expect(facts.model == "Mac99,1")
    #expect(facts.modelName == "Mac mini")
    #expect(facts.chip == "Apple M4 Pro")
    #expect(facts.gpuCores == 20)
    #expect(facts.memoryBytes == 51_539_607_552)
    #expect(
      facts.coreTiers == [
        CoreTier(name: "Performance", cores: 10, clusters: [5, 5]),
        CoreTier(name: "Efficiency", cores: 4, clusters: [4]),
      ])
    #expect(facts.load == 1.4 / 14)
    #expect(facts.environment.osVersion == "26.4")
    #expect(facts.environment.osBuild == "25E246")
    #expect(facts.environment.powerSource == "ac")
    #expect(facts.environment.powerMode == "high")
    #expect(facts.environment.busy == ["indexing"])
    #expect(facts.environment.rosetta == nil)
    #expect(facts.environment.virtualMachine == nil)
  }

  @Test("a Mac that tells nothing gives nothing")
  func nothing() { #expect(MacFacts.read(.test()) == MachineFacts()) }

  @Test("power modes in both of their forms")
  func powerModes() {
    #expect(MacFacts.powerMode(" lowpowermode         1\n") == "low")
    #expect(MacFacts.powerMode(" lowpowermode 0\n") == "automatic")
    #expect(MacFacts.powerMode(" powermode 1\n") == "low")
    #expect(MacFacts.powerMode(" displaysleep 10\n") == nil)
    #expect(MacFacts.powerSource("Now drawing from 'Battery Power'\n") == "battery")
    #expect(MacFacts.powerSource("Now drawing from 'UPS Power'\n") == nil)
  }

  @Test("a chip whose name is not told has none")
  func chips() {
    #expect(MacFacts.chip(profiled: "Apple M1 (Virtual)", kernel: "Apple M1 (Virtual)") == "Apple M1 (Virtual)")
    #expect(MacFacts.chip(profiled: nil, kernel: "Apple M9") == "Apple M9")
    #expect(MacFacts.chip(profiled: "Unknown", kernel: "VirtualApple @ 2.50GHz processor") == nil)
  }

  // MARK: targets

  static func plist(_ values: [String: Any]) -> String {
    let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// A volume on disk3 whose container lies on disk0s2.
  func target(volume: [String: Any], disk: [String: Any], links: String = "[]", virtual: Bool = false) -> TargetRecord {
    var volume = volume
    volume["APFSContainerReference"] = "disk3"
    volume["FilesystemType"] = "apfs"
    let tools = [
      "df -P /x": "Filesystem 512-blocks Used Available Capacity  Mounted on\n/dev/disk3s5 1 1 1 1% /x\n",
      "diskutil info -plist /dev/disk3s5": Self.plist(volume),
      "diskutil info -plist disk3": Self.plist(["APFSPhysicalStores": [["APFSPhysicalStore": "disk0s2"]]]),
      "diskutil info -plist disk0s2": Self.plist(["ParentWholeDisk": "disk0"]),
      "diskutil info -plist disk0": Self.plist(disk),
      "system_profiler -json SPThunderboltDataType": #"{"SPThunderboltDataType":\#(links)}"#,
    ]
    return MacTarget(world: .test(tools: tools), virtual: virtual).record(path: "/x", deviceKey: [1])
  }

  @Test("internal storage is encrypted by hardware at least")
  func internalStorage() {
    let disk: [String: Any] = ["Internal": true, "BusProtocol": "Apple Fabric", "MediaName": "APPLE SSD X"]
    let off = target(volume: ["FileVault": false], disk: disk)
    #expect(off.storage == .internal)
    #expect(off.encryption == .hardware)
    #expect(off.device == "APPLE SSD X")
    #expect(off.fileSystem == "apfs")
    #expect(target(volume: ["FileVault": true, "Encryption": true], disk: disk).encryption == .fileVault)
  }

  @Test("an external NVMe drive is what its link speaks, at its link's rate")
  func thunderbolt() {
    let disk: [String: Any] = ["Internal": false, "BusProtocol": "PCI-Express"]
    let link = { (mode: String, speed: String) in
      #"[{"_items":[{"mode_key":"\#(mode)","receptacle_upstream_ambiguous_tag":{"current_speed_key":"\#(speed)"}}]}]"#
    }
    let usb4 = target(volume: [:], disk: disk, links: link("usb_four", "40 Gb/s"))
    #expect(usb4.storage == .usb4)
    #expect(usb4.linkSpeed == 40e9)
    #expect(usb4.encryption == .unencrypted)
    #expect(target(volume: ["Encryption": true], disk: disk, links: link("thunderbolt_three", "40 Gb/s")).encryption == .apfsEncrypted)
    #expect(target(volume: [:], disk: disk, links: link("usb_four_v2", "80 Gb/s")).storage == .thunderbolt5)
    #expect(target(volume: [:], disk: disk, links: link("usb_four", "Up to 120 Gb/s")).linkSpeed == nil)
    #expect(target(volume: [:], disk: disk).storage == .other)
  }

  @Test("which of two kinds of links a drive hangs on is not guessed")
  func ambiguous() {
    let links = #"[{"_items":[{"mode_key":"usb_four"},{"mode_key":"thunderbolt_three"}]}]"#
    let found = target(volume: [:], disk: ["Internal": false, "BusProtocol": "PCI-Express"], links: links)
    #expect(found.storage == .other)
  }

  @Test("cards, USB drives, images, guests and servers")
  func others() {
    #expect(target(volume: [:], disk: ["BusProtocol": "USB", "Internal": false]).storage == .usb3)
    #expect(target(volume: [:], disk: ["BusProtocol": "Secure Digital"]).storage == .sdCard)
    #expect(target(volume: [:], disk: ["BusProtocol": "Disk Image"]).storage == .diskImage)
    #expect(target(volume: [:], disk: ["BusProtocol": "Apple Fabric", "Internal": true], virtual: true).storage == .virtualDisk)
    let server = World.test(tools: ["df -P /x": "Filesystem a b c d e\n//host/share 1 1 1 1% /x\n"])
    #expect(MacTarget(world: server, virtual: false).record(path: "/x", deviceKey: []).storage == .network)
  }

  // MARK: real outputs, where they are at hand

  @Test("every captured output of the tools read here is understood")
  func captures() throws {
    let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/captures")
    let read = { (name: String) in try? Data(contentsOf: folder.appendingPathComponent(name)) }
    let list = { (kind: String) in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(kind).path)) ?? []).sorted()
    }
    var count = 0
    for name in list("sysctl") where name.contains("m4pro") || name.contains("tirekick") {
      let kernel = MacFacts.fields(String(decoding: read("sysctl/" + name) ?? Data(), as: UTF8.self))
      #expect(kernel["hw.memsize"].flatMap { Int($0) } != nil, "\(name)")
      #expect(MacFacts.coreTiers(kernel)?.isEmpty == false, "\(name)")
      count += 1
    }
    for name in list("system_profiler") where name.hasSuffix("SPHardware.json") && !name.contains("intel") {
      let hardware = MacFacts.items(of: "SPHardwareDataType", in: read("system_profiler/" + name) ?? Data()).first
      let chip = MacFacts.chip(profiled: hardware?["chip_type"] as? String, kernel: "VirtualApple @ 2.50GHz processor")
      #expect((chip == nil) == name.contains("underRosetta"), "\(name)")
      count += 1
    }
    for name in list("diskutil_hdiutil") where name.hasSuffix(".plist") && name.contains("info") {
      #expect(!MacTarget.plist(read("diskutil_hdiutil/" + name) ?? Data()).isEmpty, "\(name)")
      count += 1
    }
    for name in list("system_profiler") where name.hasSuffix("SPThunderbolt.json") {
      let buses = MacFacts.items(of: "SPThunderboltDataType", in: read("system_profiler/" + name) ?? Data())
      #expect(!buses.isEmpty, "\(name)")
      if name.contains("tb4dock") { #expect(MacTarget.links(buses).first?.storage == .usb4, "\(name)") }
      count += 1
    }
    print("Captured outputs read: \(count)" + (count == 0 ? " (none at hand; the examples above stand for them)" : ""))
  }
}

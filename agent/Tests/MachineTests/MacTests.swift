import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import MacTools
@testable import Machine

/// Output of macOS's tools, in our own examples made from facts about the formats.
@Suite struct MacTests {
  static let tools = [
    "sysctl hw hw.model machdep.cpu.brand_string sysctl.proc_translated kern.hv_vmm_present vm.loadavg": """
        hw.machine: arm64
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
    "system_profiler -json -detailLevel mini SPHardwareDataType":
      #"{"SPHardwareDataType":[{"chip_type":"Apple M4 Pro","machine_name":"Mac mini","serial_number":"NEVERSENT123"}]}"#,
    "system_profiler -json SPDisplaysDataType": #"{"SPDisplaysDataType":[{"sppci_cores":"20"}]}"#,
    "sw_vers": "ProductName:\t\tmacOS\nProductVersion:\t\t26.4\nBuildVersion:\t\t25E246\n",
    "pmset -g batt": "Now drawing from 'AC Power'\n -InternalBattery-0\t100%; charged\n",
    "pmset -g": "System-wide power settings:\n powermode            2\n sleep 1\n",
    "ps -Acxo %cpu=,comm=": " 45.0 mds_stores\n  0.1 Finder\n 99.0 Secret Project\n",
  ]

  @Test("facts of a Mac")
  func facts() {
    let facts = MachineFacts.read(.mac(tools: Self.tools))
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
    #expect(facts.platform?.hasPrefix("macos-") == true)
  }

  @Test("a Mac that tells nothing gives nothing")
  func nothing() { #expect(MacFacts.read(.mac()) == MachineFacts()) }

  @Test("what a clone does not share seals the state: the network address only of a virtual machine")
  func identifiers() {
    var tools = [
      "ioreg -rd1 -c IOPlatformExpertDevice": "  \"IOPlatformUUID\" = \"11111111-2222-3333-4444-555555555555\"\n",
      "networksetup -getmacaddress en0": "Ethernet Address: 02:00:00:aa:bb:cc (Device: en0)\n",
    ]
    let uuid = ["platform-uuid": "11111111-2222-3333-4444-555555555555"]
    #expect(MachineFacts.ownIdentifiers(.mac(tools: tools)) == uuid)
    tools["sysctl -n kern.hv_vmm_present"] = "1\n"
    #expect(
      MachineFacts.ownIdentifiers(.mac(tools: tools))
        == uuid.merging(["network-address": "02:00:00:aa:bb:cc"]) { $1 })
    #expect(MachineFacts.ownIdentifiers(.mac()).isEmpty)
    #expect(MachineFacts.powerSource(.mac(tools: ["pmset -g batt": "Now drawing from 'UPS Power'\n"])) == "ups")
  }

  // MARK: targets

  static func plist(_ values: [String: Any]) -> String {
    let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// A volume on disk3 whose container is on disk0s2.
  func target(volume: [String: Any], disk: [String: Any], links: String = "[]", virtual: Bool = false) -> TargetRecord {
    var volume = volume
    volume["APFSContainerReference"] = "disk3"
    volume["FilesystemType"] = "apfs"
    volume["DeviceIdentifier"] = "disk3s5"
    var disk = disk
    disk["DeviceIdentifier"] = "disk0"
    let tools = [
      "df -P /x": "Filesystem 512-blocks Used Available Capacity  Mounted on\n/dev/disk3s5 1 1 1 1% /x\n",
      "diskutil info -plist disk3s5": Self.plist(volume),
      "diskutil info -plist disk3": Self.plist(
        ["DeviceIdentifier": "disk3", "APFSPhysicalStores": [["APFSPhysicalStore": "disk0s2"]]]),
      "diskutil info -plist disk0": Self.plist(disk),
      "system_profiler -json SPThunderboltDataType": #"{"SPThunderboltDataType":\#(links)}"#,
    ]
    return MacStorage.read("/x", isVirtual: virtual, deviceKey: [1], MacFacts.tools(.mac(tools: tools)))
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
    let usb4 = target(volume: ["Encryption": false], disk: disk, links: link("usb_four", "40 Gb/s"))
    #expect(usb4.storage == .usb4)
    #expect(usb4.linkSpeed == 40e9)
    #expect(usb4.encryption == .unencrypted)
    #expect(target(volume: ["Encryption": true], disk: disk, links: link("thunderbolt_three", "40 Gb/s")).encryption == .apfsEncrypted)
    #expect(target(volume: [:], disk: disk, links: link("usb_four_v2", "80 Gb/s")).storage == .thunderbolt5)
    #expect(target(volume: [:], disk: disk, links: link("usb_four", "Up to 120 Gb/s")).linkSpeed == nil)
    #expect(target(volume: [:], disk: disk).storage == .other)
  }

  @Test("a Thunderbolt 3 drive on half its link is said; of USB4 half may be all it can")
  func halfLink() {
    func codes(_ storage: Storage, _ speed: Double?) -> [WarningCode] {
      var target = TargetRecord(storage: storage)
      target.linkSpeed = speed
      return Preflight.warnings(MachineFacts(), target: target).map(\.code)
    }
    #expect(codes(.thunderbolt3, 20e9) == [.linkNegotiatedDown])
    #expect(codes(.thunderbolt4, 40e9).isEmpty)
    #expect(codes(.thunderbolt3, nil).isEmpty)
    #expect(codes(.usb4, 20e9).isEmpty)
  }

  @Test("which of two kinds of links a drive hangs on is not guessed")
  func ambiguous() {
    let links = #"[{"_items":[{"mode_key":"usb_four"},{"mode_key":"thunderbolt_three"}]}]"#
    let found = target(volume: [:], disk: ["Internal": false, "BusProtocol": "PCI-Express"], links: links)
    #expect(found.storage == .other)
  }

  @Test("cards, USB drives, images, guests and servers")
  func others() {
    // It isn't USB 3 until the link's speed is known.
    #expect(target(volume: [:], disk: ["BusProtocol": "USB", "Internal": false]).storage == .other)
    #expect(target(volume: [:], disk: ["BusProtocol": "Secure Digital"]).storage == .sdCard)
    // hdiutil lists no such image.
    #expect(target(volume: [:], disk: ["BusProtocol": "Disk Image"]).storage == .other)
    #expect(target(volume: [:], disk: ["BusProtocol": "Apple Fabric", "Internal": true], virtual: true).storage == .virtualDisk)
    let server = World.mac(tools: ["df -P /x": "Filesystem a b c d e\n//host/share 1 1 1 1% /x\n"])
    #expect(MacStorage.read("/x", isVirtual: false, MacFacts.tools(server)).storage == .network)
  }
}

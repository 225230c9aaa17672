import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import MacTools
@testable import Machine

/// Whole Macs, each made from its tools' output.
@Suite struct MacToolsScenarioTests {
  /// A runner that knows these commands; others fail as if the tool were missing.
  private func tools(_ answers: [String: String]) -> MacToolRunner {
    { command in
      let words = command.joined(separator: " ")
      if let fixture = answers[words] { return try? Fixtures.data(fixture) }
      return nil
    }
  }

  private func answering(_ texts: [String: String], _ fixtures: [String: String] = [:]) -> MacToolRunner {
    let files = tools(fixtures)
    return { command in texts[command.joined(separator: " ")].map { Data($0.utf8) } ?? files(command) }
  }

  private static let kernel =
    "sysctl hw hw.model machdep.cpu.brand_string sysctl.proc_translated kern.hv_vmm_present vm.loadavg"
  private static let hardware = "system_profiler -json -detailLevel mini SPHardwareDataType"

  @Test("a Mac with Super cores")
  func superCores() {
    let facts = MacMachine.read(
      answering(
        ["pmset -g batt": "Now drawing from 'AC Power'\n", "ps -Acxo %cpu=,comm=": " 0.1 Finder\n"],
        [
          Self.kernel: "sysctl_super.txt", Self.hardware: "hardware_super.json", "sw_vers": "sw_vers.txt",
          "ioreg -w0 -rn pmgr": "ioreg_pmgr_m5.txt", "ioreg -w0 -rc AGXAccelerator -d1": "ioreg_gpu.txt",
          "pmset -g": "pmset_live.txt", "tmutil status": "tmutil.txt",
        ]))
    #expect(facts.model == "Mac99,7")
    #expect(facts.chip == "Apple M5 Max")
    #expect(facts.gpuCores == 20)
    #expect(facts.memoryBytes == 128 << 30)
    #expect(
      facts.coreTiers == [
        CoreTier(name: "Super", cores: 6, clusters: [6], minFrequency: 1308e6, maxFrequency: 4608e6),
        CoreTier(name: "Performance", cores: 12, clusters: [6, 6], minFrequency: 1308e6, maxFrequency: 4380e6),
      ])
    #expect(facts.load == 0.2)
    #expect(
      facts.environment
        == EnvironmentRecord(
          osVersion: "26.4 (a)", osBuild: "25E246", powerSource: "ac", powerMode: "low", busy: ["backup"]))
  }

  @Test("a Mac that holds itself back: a warning, and the thermal state that the system says")
  func throttled() {
    func facts(_ said: String?, _ therm: String) -> MachineFacts {
      var world = World.mac(tools: ["pmset -g therm": therm])
      world.thermalState = { said }
      return MacFacts.read(world)
    }
    let held = "2026-11-22 08:00:00 +0100 CPU Power notify\n\tCPU_Scheduler_Limit \t= 40\n\tCPU_Available_CPUs \t= 8\n\tCPU_Speed_Limit \t= 23\n"
    for said in [nil, "nominal", "fair", "serious", "critical"] {
      let facts = facts(said, held)
      #expect(facts.environment.thermalState == said)
      let hot = Preflight.warnings(facts, target: nil)
      let state = said.flatMap { $0 == "nominal" ? nil : "thermal state: \($0); " } ?? ""
      #expect(hot == [Warning(.hot, state + "processor held to 23% of its speed, 40% of its time given out")])
    }
    #expect(facts("fair", "Note: No thermal warning level has been recorded\n").environment.thermalState == "fair")
    #expect(facts(nil, "").environment.thermalState == nil)
    #expect(Preflight.warnings(facts("nominal", held.replacingOccurrences(of: "= 40", with: "= 100").replacingOccurrences(of: "= 23", with: "= 100")), target: nil).isEmpty)
  }

  @Test("a guest under Rosetta, and a Mac that tells nothing")
  func guest() {
    let facts = MacMachine.read(tools([Self.kernel: "sysctl_rosetta_guest.txt"]))
    #expect(facts.environment.rosetta == true)
    #expect(facts.environment.virtualMachine == VirtualMachine(vcpus: 4, memoryBytes: 8 << 30))
    #expect(facts.coreTiers == [CoreTier(name: "Standard", cores: 4)])
    #expect(MacMachine.read { _ in nil } == MachineFacts())
    #expect(MacMachine.read { _ in Data("garbage: 1\n\0".utf8) } == MachineFacts())
  }

  private func df(_ device: String) -> String {
    "Filesystem 512-blocks Used Available Capacity Mounted on\n\(device) 1 1 1 1% /x\n"
  }

  private static let links = "system_profiler -json SPThunderboltDataType"
  private static let usb = "system_profiler -json SPUSBHostDataType"
  private static let olderUSB = "system_profiler -json SPUSBDataType"
  private static let drives = "system_profiler -json SPNVMeDataType"
  private static let key: [UInt8] = Array(repeating: 7, count: 32)

  @Test("the startup snapshot: joined over its container, FileVault from fdesetup")
  func snapshot() {
    let fixtures = [
      "diskutil info -plist disk3s1s1": "info_snapshot.plist", "diskutil info -plist /": "info_snapshot.plist",
      "diskutil info -plist disk3": "info_container.plist", "diskutil info -plist disk0": "info_internal.plist",
      Self.drives: "drives.json",
    ]
    func target(_ fileVault: String?) -> TargetRecord {
      var texts = ["df -P /": df("/dev/disk3s1s1")]
      texts["fdesetup status"] = fileVault
      return MacStorage.read("/", isVirtual: false, deviceKey: Self.key, answering(texts, fixtures))
    }
    let off = target("FileVault is Off, but will be enabled after the next restart.\n")
    #expect(off.storage == .internal)
    #expect(off.device == "APPLE SSD AP9999Z")
    #expect(off.encryption == .hardware)
    #expect(off.fileSystem == "apfs")
    #expect(off.capacityBytes == 994_662_584_320)
    #expect(off.freeBytes == 437_436_678_144)
    #expect(off.deviceID?.count == 16)
    #expect(target("FileVault is On.\n").encryption == .fileVault)
    // Apple silicon always encrypts; without FileVault's state it is unknown by which means.
    #expect(target(nil).encryption == .unknown)
  }

  @Test("the Data volume with FileVault")
  func fileVault() {
    let run = answering(
      ["df -P /x": df("/dev/disk3s5")],
      ["diskutil info -plist disk3s5": "info_data_filevault.plist", "diskutil info -plist disk3": "info_container.plist"])
    let target = MacStorage.read("/x", isVirtual: false, run)
    #expect(target.storage == .internal)
    #expect(target.encryption == .fileVault)
    #expect(target.deviceID == nil)
  }

  private func thunderbolt(_ tree: String) -> TargetRecord {
    MacStorage.read(
      "/x", isVirtual: false, deviceKey: Self.key,
      answering(
        ["df -P /x": df("/dev/disk7s1")],
        [
          "diskutil info -plist disk7s1": "info_thunderbolt_volume.plist",
          "diskutil info -plist disk6": "info_thunderbolt.plist", Self.links: tree, Self.drives: "drives.json",
        ]))
  }

  @Test("Thunderbolt 5 behind a dock, Thunderbolt 3 directly, and two kinds at once")
  func thunderboltDrives() {
    let docked = thunderbolt("thunderbolt_five_behind_dock.json")
    #expect(docked.storage == .thunderbolt5)
    #expect(docked.linkSpeed == 80e9)
    #expect(docked.via == "Example TB5 Dock")
    #expect(docked.enclosure == "Example TB5 SSD")
    #expect(docked.device == "Example SSD 990")
    #expect(docked.deviceID?.count == 16)
    #expect(docked.encryption == .unencrypted)
    let direct = thunderbolt("thunderbolt_three_direct.json")
    #expect(direct.storage == .thunderbolt3)
    #expect(direct.linkSpeed == 40e9)
    #expect(direct.via == "direct")
    #expect(direct.enclosure == "Example TB3 Case")
    let either = thunderbolt("thunderbolt_two_kinds.json")
    #expect(either.storage == .other)
    #expect(either.linkSpeed == nil)
    #expect(either.via == nil)
    #expect(either.enclosure == nil)
  }

  @Test("an encrypted USB drive behind a hub")
  func usbDrive() {
    var fixtures = [
      "diskutil info -plist disk5s1": "info_usb_volume.plist", "diskutil info -plist disk4": "info_usb.plist",
      Self.usb: "usb_host.json",
    ]
    func read() -> TargetRecord {
      MacStorage.read("/x", isVirtual: false, answering(["df -P /x": df("/dev/disk5s1")], fixtures))
    }
    #expect(read().storage == .usb3)
    #expect(read().linkSpeed == 10e9)
    #expect(read().via == "USB3.1 Hub")
    #expect(read().device == "Portable SSD X5")
    // The drive's own name isn't the enclosure's.
    #expect(read().enclosure == nil)
    #expect(read().encryption == .apfsEncrypted)
    fixtures[Self.usb] = nil
    fixtures[Self.olderUSB] = "usb_french.json"
    #expect(read().via == "direct")
    fixtures[Self.olderUSB] = nil
    // Nothing reports the link's speed, and so whether it is USB 3.
    #expect(read().storage == .other)
    #expect(read().linkSpeed == nil)
  }

  @Test("an encrypted sparse bundle on a Thunderbolt drive")
  func image() {
    let path = "/Volumes/Never Sent/Test.sparsebundle"
    let header = "encrcdsa\0\0\0\u{2}\0\0\0\u{10}\0\0\0\u{5}\u{1}\0\0\u{1}\0\0\u{1}\0"
    let run = answering(
      [
        "df -P /x": df("/dev/disk9s1"), "df -P \(path)": df("/dev/disk7s1"), "head -c 64 \(path)/token": header,
      ],
      [
        "diskutil info -plist disk9s1": "info_image_volume.plist", "diskutil info -plist disk8": "info_image.plist",
        "hdiutil info -plist": "hdiutil_info.plist", "diskutil info -plist disk7s1": "info_thunderbolt_volume.plist",
        "diskutil info -plist disk6": "info_thunderbolt.plist", Self.links: "thunderbolt_three_direct.json",
      ])
    let target = MacStorage.read("/x", isVirtual: false, run)
    #expect(target.storage == .diskImage)
    #expect(target.encryption == .imageAES256)
    #expect(target.image?.format == .sparseBundle)
    #expect(target.image?.capacityBytes == 100_000_000_000)
    #expect(target.image?.host?.storage == .thunderbolt3)
    #expect(target.image?.host?.encryption == .unencrypted)
  }

  @Test("a guest's own disk, a network share, and nothing known")
  func others() {
    let guest = answering(
      ["df -P /x": df("/dev/disk3s5")],
      ["diskutil info -plist disk3s5": "info_guest.plist"])
    #expect(MacStorage.read("/x", isVirtual: true, guest).storage == .virtualDisk)
    #expect(MacStorage.read("/x", isVirtual: true, guest).encryption == .unencrypted)
    let share = answering(["df -P /x": df("//user@server/My Share")])
    #expect(MacStorage.read("/x", isVirtual: false, share) == TargetRecord(storage: .network, encryption: .unknown))
    #expect(MacStorage.read("/x", isVirtual: false) { _ in nil } == TargetRecord(storage: .other, encryption: .unknown))
    let garbage: MacToolRunner = { _ in Data("x\n/dev/disk9s9 garbage".utf8) }
    let undescribed = TargetRecord(storage: .other, encryption: .unknown, doubt: "diskutil does not describe disk9s9")
    #expect(MacStorage.read("/x", isVirtual: false, garbage) == undescribed)
  }
}

import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Formats
@testable import MacTools
@testable import Machine

/// The parts of an output that a recording keeps or replaces.
@Suite struct RecordingTests {
  private static func facts(_ value: (any Encodable)?) throws -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try value.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
  }

  /// Every command the agent runs, with its reader's result.
  private static let readers: [(command: String, read: @Sendable (Data) throws -> String?)] = [
    ("sysctl hw", { try facts(KernelState.read(text($0))) }),
    ("sw_vers", { try facts(SystemVersion.read(text($0))) }),
    ("system_profiler -json SPHardwareDataType", { try facts(HardwareProfile.read($0)) }),
    ("system_profiler -json SPThunderboltDataType", { try facts(ThunderboltTree.read($0).map(withoutMacs)) }),
    ("system_profiler -json SPUSBDataType", { try facts(USBTree.read($0)) }),
    ("system_profiler -json SPNVMeDataType", { try facts(DriveProfile.read($0) { Set($0).count > 1 ? "identified" : nil }) }),
    ("system_profiler -json SPStorageDataType", { try facts(VolumeProfile.read($0)) }),
    ("system_profiler -json SPDisplaysDataType", { try facts(DisplayNames.read($0)) }),
    ("ioreg -w0 -rc AGXAccelerator -d1", { try facts(GPUCores.read(text($0))) }),
    ("ioreg -w0 -rn pmgr", { try facts(FrequencyTables.read(text($0))) }),
    ("pmset -g batt", { try facts(PowerState.read(text($0))) }),
    ("pmset -g", { try facts(PowerMode.read(text($0))) }),
    ("pmset -g therm", { try facts(ThermalLimits.read(text($0))) }),
    ("ps -Acxo %cpu=,comm=", { try facts(BackgroundWork.read(text($0))) }),
    ("tmutil status", { try facts(BackupStatus.read($0)) }),
    ("fdesetup status", { try facts(FileVaultStatus.read(text($0))) }),
    ("diskutil info -plist disk0", { try facts(DiskInformation.read($0)) }),
    ("diskutil list -plist", { try facts(DiskListing.read($0)) }),
    ("diskutil apfs list -plist", { try facts(ContainerListing.read($0)) }),
    ("hdiutil info -plist", { try facts(AttachedImages.read($0)) }),
    ("diskutil image info --plist /x", { try facts(ImageDescription.read($0)) }),
    ("head -c 64 /x", { try facts(ImageDescription.header($0)) }),
  ]

  private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  /// Another Mac has a name given by its owner, which no caller of a reader uses.
  private static func withoutMacs(_ tree: ThunderboltTree) -> ThunderboltTree {
    func plain(_ device: ThunderboltTree.Device) -> ThunderboltTree.Device {
      var device = device
      if device.mode == nil { (device.name, device.vendor) = (nil, nil) }
      device.devices = device.devices.map(plain)
      return device
    }
    return ThunderboltTree(buses: tree.buses.map { bus in
      var bus = bus
      bus.devices = bus.devices.map(plain)
      return bus
    })
  }

  /// The tools whose captures are in each folder.
  private static let tools: [String: Set<String>] = [
    "sysctl": ["sysctl"], "system_profiler": ["system_profiler"], "diskutil_hdiutil": ["diskutil", "hdiutil", "fdesetup", "head"],
    "ioreg_pmset_swvers": ["ioreg", "pmset", "sw_vers", "ps", "tmutil"],
  ]

  /// Check that a reader gets the same from a recorded output as from the output itself.
  private func check(_ data: Data, _ name: String, tools: Set<String>? = nil) throws {
    for (command, read) in Self.readers where tools?.contains(command.components(separatedBy: " ")[0]) ?? true {
      // The profiler's text is recognised by its values, which other texts may contain by chance.
      if command.contains("SPHardware"), name.contains("sysctl") { continue }
      let kept = Recording.recorded(data, of: command.components(separatedBy: " "), StandIns())
      let (before, after) = (try read(data), try read(kept))
      #expect(before == after, "\(name) as an answer to \(command)")
      if ToolValue(data) != nil, !command.hasPrefix("head") { #expect(ToolValue(kept) != nil, "\(name): \(command)") }
    }
  }

  @Test("every reader reads of every recorded capture what it read of the capture", Captures.counted)
  func captures() throws {
    var read = 0
    for name in Captures.all() {
      // Tools that a recording doesn't include are tested in tests/e2e/test_recordings.py.
      guard let tools = Self.tools[String(name.prefix { $0 != "/" })] else { continue }
      try check(try Captures.data(name), name, tools: tools)
      read += 1
    }
    #expect(read > 80)
  }

  @Test("and of our own examples")
  func fixtures() throws {
    for name in try Fixtures.all() { try check(try Fixtures.data(name), name) }
    for mac in SimulatedMacTests.names {
      let folder = SimulatedMacTests.folder.appendingPathComponent(mac)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try check(try Data(contentsOf: folder.appendingPathComponent(file)), mac + "/" + file)
      }
    }
  }

  @Test("what nobody reads becomes a placeholder of its type, the same text always the same one")
  func standIns() throws {
    let list = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>DeviceIdentifier</key><string>disk4s2</string>
      <key>IORegistryEntryName</key><string>Wiebke</string><key>VolumeName</key><string>Wiebke</string>
      <key>VolumeUUID</key><string>11111111-2222-3333-4444-555555555555</string><key>Ejectable</key><true/>
      <key>Made</key><date>2026-11-22T08:00:00Z</date><key>Keys</key><data>AAEC</data><key>MediaName</key><string>Wiebkes Teil</string>
      <key>Offset</key><integer>40960</integer><key>Jan Wiebke</key><array><real>1.5</real></array></dict></plist>
      """
    let names = StandIns()
    let kept = Recording.recorded(Data(list.utf8), of: ["diskutil", "info", "-plist", "disk4s2"], names)
    let text = String(decoding: kept, as: UTF8.self)
    #expect(!text.contains("Wiebke") && !text.contains("11111111"))
    let value = try #require(ToolValue(kept))
    #expect(value["DeviceIdentifier"] == .string("disk4s2"))
    #expect(value["IORegistryEntryName"] == value["VolumeName"])
    #expect(value["VolumeName"] == .string(names.name("Wiebke")))
    #expect(value["MediaName"] != value["VolumeName"])
    #expect(value["Ejectable"] ?? .bool(false) == .bool(false))
    #expect(value.entries.values.contains(.date) && value.entries.values.contains(.data) && value.entries.values.contains(.array([.double(0)])))
    #expect(names.name("11111111-2222-3333-4444-555555555555").hasPrefix("00000000-0000-4000-8000-"))
    #expect(names.path("/Users/wiebke/Im Keller.sparsebundle/token") != names.path("/Users/other/Im Keller.sparsebundle/token"))
    #expect(names.path("/Users/wiebke/Im Keller.sparsebundle").hasSuffix(".sparsebundle"))
    #expect(names.path("/Volumes/Wiebke").hasSuffix("/" + names.name("Wiebke")))
    // Zeros can't be a serial number, and stay unchanged.
    #expect(names.name("0000") == "0000")
    var known = KnownNames()
    known.add("0000000000", .serial)
    #expect(known.kinds.isEmpty)
  }

  @Test("only the names of physical devices are kept")
  func makers() throws {
    func kept(_ entries: String) -> String {
      let list = "<plist version=\"1.0\"><dict><key>DeviceIdentifier</key><string>disk4</string>\(entries)<key>MediaName</key><string>Wiebke Media</string></dict></plist>"
      return String(decoding: Recording.recorded(Data(list.utf8), of: ["diskutil", "info", "-plist", "disk4"], StandIns()), as: UTF8.self)
    }
    func bus(_ name: String) -> String { "<key>BusProtocol</key><string>\(name)</string>" }
    for made in ["", bus("Disk Image"), bus("Virtual Interface"), bus("iSCSI"), bus("Fibre Channel Interface"), bus("Something New"),
      bus("USB") + "<key>VirtualOrPhysical</key><string>Virtual</string>", bus("SATA") + "<key>RAIDMaster</key><true/>",
      bus("SATA") + "<key>RAIDSetStatus</key><string>Online</string>"] {
      #expect(!kept(made).contains("Wiebke"), "\(made)")
    }
    for device in ["USB", "SATA", "PCI-Express", "Apple Fabric", "FireWire"] { #expect(kept(bus(device)).contains("Wiebke"), "\(device)") }

    var names = KnownNames()
    names.gather(["x"], Data(#"{"DeviceIdentifier": "disk4", "BusProtocol": "Disk Image", "MediaName": "ZFS pool Media"}"#.utf8))
    names.gather(["x"], Data(#"{"DeviceIdentifier": "disk5", "BusProtocol": "USB", "MediaName": "Example Stick Media"}"#.utf8))
    names.gather(["x"], Data("   Device Identifier: disk3\n   Device / Media Name: Alte Fotos\n   Protocol: SATA\n   Set Name: Alte Fotos\n".utf8))
    for (text, kind) in [("a ZFS pool here", KnownNames.Kind.volume), ("Alte Fotos", .volume), ("Example Stick", nil)] {
      #expect(names.found(in: [text]) == kind, "\(text)")
    }
  }

  @Test("JSON stays JSON, whatever its keys are called")
  func json() throws {
    let hardware = #"{"SPHardwareDataType": [{"_name": "hardware_overview", "machine_name": "Mac mini", "provisioning_UDID": "00008112-NEVER", "serial_number": "C02NEVER", "platform_UUID": "x", "Wiebkes Mac": {"a": 1}}]}"#
    let kept = Recording.recorded(Data(hardware.utf8), of: ["system_profiler", "-json", "SPHardwareDataType"], StandIns())
    let object = try #require(try JSONSerialization.jsonObject(with: kept) as? [String: [[String: Any]]])
    let item = try #require(object["SPHardwareDataType"]?.first)
    #expect(item["machine_name"] as? String == "Mac mini")
    #expect(item["provisioning_UDID"] as? String != "00008112-NEVER")
    let text = String(decoding: kept, as: UTF8.self)
    for secret in ["NEVER", "Wiebke"] { #expect(!text.contains(secret)) }
  }

  @Test("lines of text: names of programs, batteries, users, volumes and servers")
  func lines() {
    func kept(_ command: String, _ text: String) -> String {
      String(decoding: Recording.recorded(Data(text.utf8), of: command.components(separatedBy: " "), StandIns()), as: UTF8.self)
    }
    #expect(kept("pmset -g", "Currently in use:\n powermode            1\n sleep   1 (sleep prevented by coreaudiod, Wiebkes App)\n") == "Currently in use:\n powermode 1\n…\n")
    #expect(
      kept("pmset -g batt", "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=22151267)\t85%; discharging; 3:02 remaining present: true\n -Wiebkes USV (id=1)\t100%; charged\n")
        == "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=0)\t85%; discharging; 0:00 remaining present: true\n…\n")
    #expect(kept("fdesetup status", "FileVault is Off.\nDeferred enablement appears to be active for user 'wiebke'.\n") == "FileVault is Off.\nDeferred enablement appears to be active\n")
    #expect(kept("ps -Acxo %cpu=,comm=", " 12.0 mds\n 45,5 Wiebkes App\n") == " 12.0 mds\n 0.0 process\n")
    #expect(!kept("df -P /x", "Filesystem 512-blocks\n//wiebke@keller.local/Fotos 1 2 3 45% /Volumes/Fotos\n").contains("Fotos"))
    #expect(kept("df -P /x", "Filesystem 512-blocks\n//wiebke@keller/Fotos 1 2 3 45% /Volumes/Fotos\n").contains("\n//name-"))
    #expect(kept("df -P /x", "Filesystem 512-blocks\ncom.apple.TimeMachine.2026@/dev/disk5s1 1 2 3 45% /private\n").contains("snapshot@/dev/disk5s1 1 1 1 1% /\n"))
    #expect(!kept("diskutil info disk4", "   Device Identifier: disk4\n   Volume Name: Wiebkes Platte\n   Protocol: USB\n").contains("Wiebke"))
    #expect(kept("ioreg -w0 -rn pmgr", "+-o pmgr@1  <class X, id 0x100000112>\n  | {\n  |   \"clusters\" = <04000000>\n  |   \"IOPlatformSerialNumber\" = \"C02NEVER\"\n") == "+-o pmgr  <class pmgr, id 0>\n…\n    \"clusters\" = <04000000>\n    \"IOPlatformSerialNumber\" = \"\"\n")
    #expect(kept("frobnicate --all", "Wiebkes Mac\n") == "…\n")
  }

  @Test("the first bytes of an image are its content, except for its kind")
  func header() {
    let raw = Data("Dear Wiebke, ".utf8) + Data(repeating: 7, count: 51)
    #expect(Recording.recorded(raw, of: ["head", "-c", "64", "/x"], StandIns()) == Data(count: 64))
  }

  @Test("a recording is searched for what this Mac knows, and not written where that is found")
  func refused() throws {
    var names = KnownNames(privateNames: ["wiebke"])
    names.gather(["pmset"], Data(" sleep 1 (sleep prevented by coreaudiod, Dictator)\n".utf8))
    names.gather(["df"], Data("//jan@keller/Fotos 1 1 1 1% /Volumes/Alte Fotos\n/dev/x 1 1 1 1% /Users/jan/Test.dmg\n".utf8))
    names.gather(["x"], Data(#"{"a": [{"_name": "Umzug", "mount_point": "/Volumes/Umzug", "volume_uuid": "A0B1C2D3-0000-1111-2222-333344445555"}, {"_name": "Portable T7", "serial_num": "S5NEVER"}]}"#.utf8))
    let cases: [(String, KnownNames.Kind?)] = [
      ("Wiebke's drive", .user), ("wiebkes drive", nil), ("keller", .host), ("Alte Fotos", .volume), ("Umzug", .volume), ("S5NEVER", .serial),
      ("id A0B1C2D3-0000-1111-2222-333344445555", .identifier), ("Macintosh HD", nil), ("Test.dmg", .file), ("nothing", nil),
    ]
    for (text, kind) in cases { #expect(names.found(in: ["before", text, "after"]) == kind, "\(text)") }
    // A drive's model name identifies nobody, nor do facts that a run's document publishes anyway.
    names.add("Portable T7", .volume)
    #expect(names.found(in: ["Portable T7"]) == nil)
    #expect(names.found(in: ["Example Umzug SSD"], besides: ["Example Umzug SSD"]) == nil)
    #expect(names.found(in: ["Wiebke SSD"], besides: ["Wiebke SSD"]) == .user)

    let home = try TemporaryDirectory()
    let transcript = Transcript()
    var world = World.real(["MACMETER_HOME": home.path + "/state"], transcript: transcript)
    world.environment[Replay.variable] = SimulatedMacTests.folder.path + "/macbook-pro-m3-pro-usb4"
    // The dock that the drive is attached to is named after its owner's disk.
    world.list = { $0 == "/Volumes" ? ["apfs encrypted"] : [] }
    #expect(Agent.run(["doctor", home.path, "--record", home.path + "/made"], in: world) == .success, "\(transcript.said)")
    world.list = { $0 == "/Users" ? ["pci-express"] : [] }
    #expect(Agent.run(["doctor", home.path, "--record", home.path + "/refused"], in: world) == .failure)
    #expect(transcript.said.contains("would contain a user's name"))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/refused"))
  }
}

import Foundation
import TestSupport
import Testing

@testable import Document
@testable import Formats
@testable import MacTools
@testable import Machine

/// The same output from other versions, in other languages and with other people's disks. Composed
/// from facts about the formats.
@Suite struct MacToolsVariantTests {
  private static func plist(_ entries: [(String, Any)]) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\">" + element(entries) + "</plist>"
  }

  private static func element(_ value: Any) -> String {
    switch value {
    case let value as [(String, Any)]: "<dict>" + value.map { "<key>\($0.0)</key>" + element($0.1) }.joined() + "</dict>"
    case let value as [[(String, Any)]]: "<array>" + value.map(element).joined() + "</array>"
    case let value as Bool: value ? "<true/>" : "<false/>"
    default: "<string>\(value)</string>"
    }
  }

  private static func disk(_ device: String, _ connection: String, _ more: [(String, Any)] = []) -> String {
    plist([("DeviceIdentifier", device), ("BusProtocol", connection)] + more + [("Internal", false)])
  }

  /// An APFS volume disk7s1 on the drive disk6.
  private static func apfs(_ connection: String, _ more: [(String, Any)] = []) -> String {
    disk(
      "disk7s1", connection,
      [
        ("FilesystemType", "apfs"), ("VolumeName", "Never Sent"), ("APFSContainerReference", "disk7"),
        ("APFSPhysicalStores", [[("APFSPhysicalStore", "disk6s2" as Any)]]),
      ] + more)
  }

  private static func read(_ answers: [String: String], isVirtual: Bool = false) -> TargetRecord {
    MacStorage.read("/x", isVirtual: isVirtual, deviceKey: [1]) { command in
      answers[command.joined(separator: " ")].map { Data($0.utf8) }
    }
  }

  private static func df(_ source: String) -> String { "Filesystem Blocks\n\(source) 1 1 1 1% /x\n" }
  private static let links = "system_profiler -json SPThunderboltDataType"
  private static let usb = "system_profiler -json SPUSBHostDataType"
  private static let drives = "system_profiler -json SPNVMeDataType"

  private static func thunderbolt(_ tree: String, _ more: [String: String] = [:]) -> TargetRecord {
    let answers = [
      "df -P /x": df("/dev/disk7s1"), "diskutil info -plist disk7s1": apfs("PCI-Express", [("Encryption", false)]),
      "diskutil info -plist disk6": disk("disk6", "PCI-Express", [("MediaName", "Example SSD")]),
      links: #"{"SPThunderboltDataType": [{"_items": ["# + tree + "]}]}",
    ]
    return read(answers.merging(more) { $1 })
  }

  private static func device(_ name: String, _ mode: String, _ speed: String, holding: String = "") -> String {
    """
    {"device_name_key": "\(name)", "mode_key": "\(mode)", "receptacle_upstream_ambiguous_tag":
      {"current_speed_key": "\(speed)", "receptacle_status_key": "receptacle_connected"}, "_items": [\(holding)]}
    """
  }

  @Test("file systems that run outside the kernel, snapshots, and shares")
  func sources() {
    for source in ["exfat://disk4s1/", "msdos://disk4s1/NO", "ntfs://disk4s1", "com.example.2026@/dev/disk4s1"] {
      #expect(DeviceName.mounted(source) == "disk4s1", "\(source)")
    }
    for source in ["//me@server/Share", "server:/disk4s1", "https://example.org/disk4s1", "me@server:", "[fe80::1]:/x"] {
      #expect(DeviceName.mounted(source) == nil, "\(source)")
      #expect(Self.read(["df -P /x": Self.df(source), "mount": source + " on /x (nfs, nodev)"]).storage == .network, "\(source)")
      // Programs name their file systems like NFS mounts.
      let isLikeNFS = ["server:/disk4s1", "[fe80::1]:/x"].contains(source)
      #expect(Self.read(["df -P /x": Self.df(source)]).storage == (isLikeNFS ? .other : .network), "\(source)")
    }
    let card = Self.read([
      "df -P /x": Self.df("exfat://disk4s1/"),
      "diskutil info -plist disk4s1": Self.disk("disk4s1", "Secure Digital", [("FilesystemType", "exfat")]),
    ])
    #expect(card.storage == .sdCard)
    #expect(card.encryption == .unencrypted)
  }

  @Test("a name that somebody gave isn't taken for a model")
  func names() {
    func model(_ device: String, _ more: [(String, Any)]) -> String? {
      DiskInformation.read(Data(Self.disk(device, "USB", [("MediaName", "Never Sent")] + more).utf8))?.model
    }
    #expect(model("disk4s2", []) == nil)
    #expect(model("disk4", [("RAIDMaster", true)]) == nil)
    #expect(model("disk4", [("VolumeName", "Never Sent")]) == nil)
    #expect(model("disk4", [("RAIDMaster", false), ("VolumeName", "")]) == "Never Sent")
    let text = "Device Identifier: disk4\nDevice / Media Name: Never Sent\nVolume Name: Never Sent\n"
    #expect(DiskInformation.read(Data(text.utf8))?.model == nil)
    let software = Self.read([
      "df -P /x": Self.df("/dev/disk7s1"), "diskutil info -plist disk7s1": Self.apfs("Virtual Interface"),
      "diskutil info -plist disk6": Self.disk("disk6", "Virtual Interface", [("MediaName", "Never Sent")]),
    ])
    #expect(software.device == nil)
    #expect(software.storage == .other)
    #expect(software.encryption == .unknown)
  }

  @Test("a link's rate, from its own words; never a socket's")
  func rates() {
    func rate(_ speed: String) -> Double? { Self.thunderbolt(Self.device("Case", "thunderbolt_three", speed)).linkSpeed }
    #expect(rate("Up to 20 Gb/s x1") == 20e9)
    #expect(rate("Jusqu’à 40 Gb/s x1") == 40e9)
    #expect(rate("40 Gb/s x1") == 40e9)
    #expect(rate("40 Gb/秒") == 40e9)
    for unknown in ["Up to 40 Gb/s", "10 Gb/s x2", "40 GB/s", "40 ГБ/с", "40 Go/s", "<redacted>"] {
      #expect(rate(unknown) == nil, "\(unknown)")
    }
    func usb(_ speed: String) -> TargetRecord {
      Self.read([
        "df -P /x": Self.df("/dev/disk4s1"), "diskutil info -plist disk4s1": Self.disk("disk4s1", "USB"),
        "diskutil info -plist disk4": Self.disk("disk4", "USB", [("MediaName", "Stick")]),
        Self.usb: #"{"SPUSBHostDataType": [{"_items": [{"_name": "Stick", "USBDeviceKeyLinkSpeed": "\#(speed)"}]}]}"#,
      ])
    }
    for speed in ["Up to 10 Gb/s", "Bis zu 10 Gbit/s", "up_to_10_Gb_per_sec", "10 Гбит/с"] {
      #expect(usb(speed).linkSpeed == 10e9, "\(speed)")
      #expect(usb(speed).storage == .usb3, "\(speed)")
    }
    #expect(usb("Up to 480 Mb/s").linkSpeed == 480e6)
    // Some systems list only the Mac's own ports in the newer report.
    let older = Self.read([
      "df -P /x": Self.df("/dev/disk4s1"), "diskutil info -plist disk4s1": Self.disk("disk4s1", "USB"),
      Self.usb: #"{"SPUSBHostDataType": [{"_name": "USB 3.1 Bus"}]}"#,
      "system_profiler -json SPUSBDataType":
        #"{"SPUSBDataType": [{"_items": [{"device_speed": "super_speed", "Media": [{"bsd_name": "disk4"}]}]}]}"#,
    ])
    #expect(older.storage == .usb3)
    #expect(usb("Up to 480 Mb/s").storage == .other)
    #expect(usb("Up to 7 Gb/s").linkSpeed == nil)
  }

  @Test("a drive within a chain may be any of its devices")
  func chains() {
    let chain = Self.device("Drive", "usb_four_v2", "80 Gb/s", holding: Self.device("Case", "thunderbolt_three", "40 Gb/s"))
    func listing(_ models: String...) -> [String: String] {
      [Self.drives: #"{"SPNVMeDataType": [{"_items": ["# + models.map { #"{"device_model": "\#($0)"}"# }.joined(separator: ",") + "]}]}"]
    }
    #expect(Self.thunderbolt(chain, listing("APPLE SSD AP0512Z", "Example SSD")).storage == .other)
    let docked = chain.replacingOccurrences(of: "Drive", with: "Example Dock")
    let last = Self.thunderbolt(docked, listing("APPLE SSD AP0512Z", "Example SSD"))
    #expect(last.storage == .thunderbolt3)
    #expect(last.via == "Example Dock")
    #expect(Self.thunderbolt(docked, listing("APPLE SSD AP0512Z", "Example SSD", "Other SSD")).storage == .other)
    let either = Self.thunderbolt(chain, listing("APPLE SSD AP0512Z", "Example SSD", "Other SSD"))
    #expect(either.storage == .other)
    #expect(either.linkSpeed == nil)
    #expect(either.via == nil)
  }

  @Test("what hangs on a dock and cannot be read may be the drive; another Mac never is; an enclosure's name isn't a drive's model")
  func unreadable() {
    let dock = Self.device("Dock", "usb_four", "40 Gb/s", holding: Self.device("Case", "usb_four", "40 Gb/s"))
    let whole = Self.thunderbolt(dock)
    #expect(whole.via == "Dock")
    for damaged in [
      dock.replacingOccurrences(of: #""device_name_key": "Case", "mode_key": "usb_four","#, with: ""),
      Self.device("Dock", "usb_four", "40 Gb/s").replacingOccurrences(of: #""_items": []"#, with: #""_items": "<redacted>""#),
      Self.device("Dock", "usb_four", "40 Gb/s", holding: #""<redacted>""#),
    ] {
      #expect(Self.thunderbolt(damaged).via == "Dock", "\(damaged)")
      #expect(Self.thunderbolt(damaged).storage == .other, "\(damaged)")
    }
    let mac = #"{"_name": "Never Sent", "device_name_key": "Mac15,14", "domain_uuid_key": "x"}"#
    #expect(Self.thunderbolt(Self.device("Dock", "usb_four", "40 Gb/s", holding: mac)).via == "direct")
    let nameless = Self.thunderbolt(dock, ["diskutil info -plist disk6": Self.disk("disk6", "PCI-Express")])
    #expect(nameless.device == nil)
    #expect(nameless.storage == .usb4)
  }

  @Test("a guest's USB link is its host's invention")
  func guestUSB() {
    let answers = [
      "df -P /x": Self.df("/dev/disk4s1"), "diskutil info -plist disk4s1": Self.disk("disk4s1", "USB"),
      "diskutil info -plist disk4": Self.disk("disk4", "USB", [("MediaName", "Stick")]),
      Self.usb: #"{"SPUSBHostDataType": [{"_items": [{"_name": "Stick", "USBDeviceKeyLinkSpeed": "5 Gb/s"}]}]}"#,
    ]
    #expect(Self.read(answers).storage == .usb3)
    #expect(Self.read(answers, isVirtual: true).storage == .other)
    #expect(Self.read(answers, isVirtual: true).linkSpeed == nil)
  }

  @Test("encrypted is by FileVault, by the hardware, by the volume, or not known by what")
  func encryption() {
    func read(_ connection: String, _ more: [(String, Any)]) -> Encryption? {
      let volume = Self.apfs(connection, more).replacingOccurrences(of: "Internal</key><false/>", with: "Internal</key><true/>")
      return Self.read(["df -P /x": Self.df("/dev/disk7s1"), "diskutil info -plist disk7s1": volume]).encryption
    }
    #expect(read("Apple Fabric", [("Encryption", true), ("FileVault", false)]) == .hardware)
    #expect(read("Apple Fabric", [("Encryption", true)]) == .unknown)
    #expect(read("Apple Fabric", [("Encryption", true), ("FileVault", true)]) == .fileVault)
    #expect(read("SATA", [("Encryption", true), ("FileVault", false)]) == .apfsEncrypted)
    #expect(read("SATA", [("Encryption", false), ("FileVault", false), ("AESHardware", false)]) == .unencrypted)
    // fdesetup covers only the startup volume, no other one.
    func startup(_ mount: String) -> Encryption? {
      let volume = Self.apfs("Apple Fabric")
      return Self.read([
        "df -P /x": "Filesystem\n/dev/disk7s1 1 1 1 1% \(mount)\n", "diskutil info -plist disk7s1": volume,
        "diskutil info -plist /": volume, "fdesetup status": "FileVault is On.\n",
      ]).encryption
    }
    #expect(startup("/System/Volumes/Data") == .fileVault)
    #expect(startup("/Volumes/Never Sent") == .unknown)
    func hfs(_ more: [(String, Any)]) -> Encryption? {
      Self.read([
        "df -P /x": Self.df("/dev/disk5"),
        "diskutil info -plist disk5": Self.disk("disk5", "USB", [("FilesystemType", "hfs")] + more),
      ]).encryption
    }
    #expect(hfs([]) == .unencrypted)
    #expect(hfs([("CoreStoragePVs", [[("CoreStoragePVDisk", "disk4s2" as Any)]])]) == .unknown)
  }

  @Test("an encrypted raw image, whatever the language of its type; an image of unknown kind keeps its host")
  func images() {
    func read(writable: Bool, header: String) -> TargetRecord {
      let path = "/Volumes/Never Sent/Secret.dmg"
      let image = """
        <plist version="1.0"><dict><key>images</key><array><dict><key>image-path</key><string>\(path)</string>
        <key>image-type</key><string>Lesen/Schreiben</string><key>image-encrypted</key><true/>
        <key>writeable</key><\(writable)/><key>system-entities</key><array><dict><key>dev-entry</key>
        <string>/dev/disk6</string></dict></array></dict></array></dict></plist>
        """
      return Self.read([
        "df -P /x": Self.df("/dev/disk7s1"), "diskutil info -plist disk7s1": Self.apfs("Disk Image"),
        "diskutil info -plist disk6": Self.disk("disk6", "Disk Image"), "hdiutil info -plist": image,
        "head -c 64 \(path)": header, "df -P \(path)": Self.df("//me@server/Share"),
      ])
    }
    let header = "encrcdsa\0\0\0\u{2}\0\0\0\u{10}\0\0\0\u{5}\u{1}\0\0\u{1}\0\0\u{1}\0"
    let raw = read(writable: true, header: header)
    #expect(raw.encryption == .imageAES256)
    #expect(raw.image == ImageRecord(format: .raw, host: ImageHost(storage: .network, encryption: .unknown)))
    #expect(read(writable: false, header: header).image?.format == nil)
    #expect(read(writable: false, header: header).image?.host?.storage == .network)
  }

  @Test("marks and notes before a property list")
  func notes() {
    let list = Self.apfs("Apple Fabric")
    for before in ["\u{feff}", "objc[12]: Class A is implemented twice.\n", "2026-11-21 tool[1:2] {note}\n"] {
      #expect(DiskInformation.read(Data((before + list + "\r\n\0").utf8))?.connection == "Apple Fabric")
    }
    #expect(ToolValue(Data("note <plist".utf8)) == nil)
  }

  @Test("a cluster's letter means what the letters beside it leave it")
  func clusters() {
    func tiers(_ names: String, of chip: [String]) -> [String?] {
      let sample = PowerSample(clusters: names.split(separator: " ").map { PowerSample.Cluster(name: String($0)) })
      return sample.clusters.map { sample.tier(of: $0, among: chip) }
    }
    let pro = ["Super", "Performance"]
    #expect(tiers("M0 M1 P", of: pro) == ["Performance", "Performance", "Super"])
    #expect(tiers("P0 P1 S", of: pro) == ["Performance", "Performance", "Super"])
    #expect(tiers("P0 P1", of: pro) == [nil, nil])
    #expect(tiers("E P", of: ["Super", "Efficiency"]) == ["Efficiency", "Super"])
    #expect(tiers("E0 P0 P1 E1", of: ["Performance", "Efficiency"]) == ["Efficiency", "Performance", "Performance", "Efficiency"])
    #expect(tiers("S P E", of: ["Super", "Performance", "Efficiency"]) == ["Super", "Performance", "Efficiency"])
    #expect(tiers("S X", of: ["Performance", "Efficiency"]) == [nil, nil])
  }

  @Test("a USB device is found by its name, whatever its vendor is called")
  func usbNames() {
    func speed(_ model: String, _ devices: (name: String, vendor: String)...) -> Double? {
      let list = devices.map { #"{"_name": "\#($0.name)", "USBDeviceKeyVendorName": "\#($0.vendor)", "USBDeviceKeyLinkSpeed": "5 Gb/s"}"# }
      let tree = USBTree.read(Data((#"{"SPUSBHostDataType": [{"_items": ["# + list.joined(separator: ",") + "]}]}").utf8))
      return tree?.chain(disk: "disk4", model: model)?.device.linkSpeed
    }
    #expect(speed("WD My Passport 25E2", ("My Passport 25E2", "Western Digital"), ("Keyboard", "Example")) == 5e9)
    #expect(speed("Samsung PSSD T7", ("PSSD T7", "Samsung")) == 5e9)
    #expect(speed("Samsung SSD 990 PRO", ("ASM236X series", "Asmedia")) == nil)
    #expect(speed("Example Flash Disk", ("Disk", "Other")) == nil)
    #expect(speed("WD My Passport 25E2", ("My Passport 25E2", "A"), ("My Passport 25E2", "B")) == nil)
  }

  @Test("a shadow takes what is written: its image is not known to be raw")
  func shadow() throws {
    let text = try Fixtures.text("hdiutil_info.txt")
    #expect(AttachedImages.read(Data(text.utf8))?.images.first?.isWritable == true)
    let shadowed = text.replacingOccurrences(of: "<none>", with: "/private/x.shadow")
    #expect(AttachedImages.read(Data(shadowed.utf8))?.images.first?.isWritable == false)
  }

  @Test("figures that cannot be are none, and break nothing that is made of them")
  func impossible() {
    for size in ["9223372036854775807", "-1", "1e300", "99999999999999999999999"] {
      let more: [(String, Any)] = [("TotalSize", size), ("FreeSpace", size)]
      let target = Self.thunderbolt(
        Self.device("Case", "thunderbolt_three", "99999999999999 Gb/s"),
        ["diskutil info -plist disk7s1": Self.apfs("PCI-Express", more)])
      #expect(target.capacityBytes == nil && target.freeBytes == nil && target.linkSpeed == nil, "\(size)")
    }
    #expect(KernelState.read("vm.loadavg: { 1e300 1 1 }\n").load == nil)
    var full = TargetRecord(storage: .network)
    (full.capacityBytes, full.freeBytes) = (.max, .max)
    #expect(!Preflight.warnings(MachineFacts(), target: full).contains { $0.code == .nearlyFull })
    full.freeBytes = 5
    #expect(Preflight.warnings(MachineFacts(), target: full).contains { $0.code == .nearlyFull })
  }

  @Test("core tiers without counts are ignored; so is a serial number of zeros; a version may have a letter")
  func machine() {
    let one = "hw.perflevel0.physicalcpu: 4\nhw.perflevel0.name: Performance\n"
    #expect(KernelState.read(one).coreTiers == nil)
    #expect(KernelState.read(one + "hw.ncpu: 10\n").coreTiers == nil)
    #expect(KernelState.read(one + "hw.ncpu: 4\n").coreTiers == [CoreTier(name: "Performance", cores: 4)])
    #expect(SystemVersion.read("ProductVersion: 13.4.1\nProductVersionExtra: (c)\n").version == "13.4.1 (c)")
    #expect(SystemVersion.read("ProductVersion: 13.4.1\nProductVersionExtra: Never Sent\n").version == "13.4.1")
    #expect(DeviceIdentifier.make(serial: "0000000000", key: [1]) == nil)
    #expect(DeviceIdentifier.make(serial: "S1", key: [1])?.count == 16)
  }
}

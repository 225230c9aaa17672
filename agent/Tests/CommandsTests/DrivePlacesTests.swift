import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Document
@testable import MacTools
@testable import Machine

/// Finding a drive's device on a Thunderbolt or USB link. Composed from facts about the formats.
@Suite struct DrivePlacesTests {
  private static func device(_ name: String, _ mode: String, _ speed: Int, _ holding: String...) -> String {
    """
    {"_name": "\(name)", "device_name_key": "\(name)", "vendor_name_key": "Example", "mode_key": "\(mode)",
     "receptacle_upstream_ambiguous_tag": {"current_speed_key": "\(speed) Gb/s", "receptacle_status_key": "receptacle_connected"},
     "_items": [\(holding.joined(separator: ","))]}
    """
  }

  private static func five(_ name: String, _ holding: String...) -> String { device(name, "usb_four_v2", 80, holding.joined(separator: ",")) }
  private static func three(_ name: String, _ holding: String...) -> String { device(name, "thunderbolt_three", 40, holding.joined(separator: ",")) }

  /// - Parameters:
  ///   - sockets: devices on each port, starting with the first.
  ///   - on: number of the drive's own port, if its path states it.
  private func drive(
    _ sockets: String..., model: String = "Example SSD 990", added: [String] = ["Example SSD 990"], displays: [String] = [], on socket: Int? = nil
  ) -> TargetRecord {
    let path = socket.map { "<key>DeviceTreePath</key><string>IODeviceTree:/arm-io@10F00000/apciec\($0)@30000000/pcic\($0)-bridge@0</string>" } ?? ""
    func list(_ texts: [String]) -> String { "[" + texts.joined(separator: ",") + "]" }
    let answers = [
      "df -P /x": "Filesystem Blocks\n/dev/disk6s2 1 1 1 1% /x\n",
      "diskutil info -plist disk6s2": Self.disk("disk6s2", "PCI-Express"),
      "diskutil info -plist disk6": Self.disk("disk6", "PCI-Express", "<key>MediaName</key><string>\(model) Media</string>\(path)"),
      "system_profiler -json SPThunderboltDataType": #"{"SPThunderboltDataType": "#
        + list(sockets.enumerated().map { #"{"_name": "thunderboltusb4_bus_\#($0.offset)", "_items": [\#($0.element)]}"# }) + "}",
      "system_profiler -json SPNVMeDataType": #"{"SPNVMeDataType": [{"_items": "# + list((["APPLE SSD AP1024Z"] + added).map { #"{"device_model": "\#($0)"}"# }) + "}]}",
      "system_profiler -json SPDisplaysDataType": #"{"SPDisplaysDataType": [{"spdisplays_ndrvs": "# + list(displays.map { #"{"_name": "\#($0)"}"# }) + "}]}",
    ]
    return MacStorage.read("/x", isVirtual: false) { answers[$0.joined(separator: " ")].map { Data($0.utf8) } }
  }

  private static func disk(_ device: String, _ connection: String, _ more: String = "") -> String {
    """
    <plist version="1.0"><dict><key>DeviceIdentifier</key><string>\(device)</string><key>BusProtocol</key>
    <string>\(connection)</string><key>Internal</key><false/>\(more)</dict></plist>
    """
  }

  @Test("a display at the end of a drive's chain isn't taken for a drive")
  func display() {
    for name in ["Example UltraFine", "Studio Display", "Pro Display XDR", "Thunderbolt Monitor 27"] {
      let target = drive(Self.five("Express 80G", Self.three(name)))
      #expect(target.storage == .thunderbolt5, "\(name)")
      #expect(target.linkSpeed == 80e9)
      #expect(target.via == "direct")
    }
    // Its name says nothing, but the Mac lists it as a display.
    let nameless = Self.five("Express 80G", Self.three("C34X79"))
    #expect(drive(nameless, displays: ["C34X79"]).storage == .thunderbolt5)
    #expect(drive(nameless, displays: ["Example C34X79"]).storage == .thunderbolt5)
    #expect(drive(nameless, displays: ["Other 27"]).storage == .other)
  }

  @Test("behind a dock behind a display, and a display or an adapter between")
  func behind() {
    let chain = drive(Self.five("Studio Display", Self.five("Example Dock", Self.three("Case"))))
    #expect(chain.storage == .thunderbolt3)
    #expect(chain.via == "Studio Display > Example Dock")
    // A dock at the end of the chain holds no drive if the drive has its own enclosure.
    #expect(drive(Self.five("Case", Self.three("Example Hub"))).storage == .thunderbolt5)
    #expect(drive(Self.three("Example Thunderbolt 3 Dock")).storage == .thunderbolt3)
    #expect(drive(Self.three("Thunderbolt to Gigabit Ethernet Adapter"), Self.five("Case")).storage == .thunderbolt5)
  }

  @Test("several that it can be in: what they have in common, or why not")
  func several() {
    let alike = drive(Self.three("Case A", Self.three("Case B")))
    #expect(alike.storage == .thunderbolt3)
    #expect(alike.linkSpeed == 40e9)
    #expect(alike.via == nil)
    #expect(alike.doubt == nil)
    let unlike = drive(Self.five("Case A", Self.three("Case B")))
    #expect(unlike.storage == .other)
    #expect(unlike.linkSpeed == nil)
    #expect(unlike.doubt == "the drive can be in any of 2 Thunderbolt devices: Case A, Case B")
    #expect(Preflight.warnings(MachineFacts(), target: unlike) == [Warning(.storageUnclear, unlike.doubt)])
    // More drives than enclosures: one of them is in the dock.
    let slot = drive(Self.five("Example Dock", Self.three("Case")), added: ["Example SSD 990", "Other"])
    #expect(slot.storage == .other)
    #expect(slot.doubt?.contains("Example Dock") == true)
    #expect(drive(Self.three("Studio Display"), Self.three("Pro Display XDR")).doubt == "no Thunderbolt device that could hold this drive is listed")
  }

  @Test("known by its model, or by its socket")
  func known() {
    let two = drive(Self.five("Rugged Pro5", Self.three("Case")), model: "Example Rugged Pro5")
    #expect(two.storage == .thunderbolt5)
    #expect(two.device == "Example Rugged Pro5")
    // Two drives of one model in two enclosures: the registry path gives the port.
    for (socket, storage) in [(0, Storage.thunderbolt3), (1, .thunderbolt5)] {
      let target = drive(Self.three("Case A"), Self.five("Case B"), added: ["Example SSD 990", "Example SSD 990"], on: socket)
      #expect(target.storage == storage)
    }
    // A number without a bus says nothing.
    #expect(drive(Self.three("Case A"), Self.five("Case B"), on: 3).storage == .other)
    #expect(DiskInformation.thunderboltBus("IODeviceTree:/arm-io@10F00000/ans@77400000/iop-ans-nub") == nil)
  }

  @Test("two USB drives of one model")
  func usb() {
    func target(_ speeds: String..., privateNames: [String] = []) -> TargetRecord {
      let devices = speeds.map { #"{"_name": "Example T7", "USBDeviceKeyLinkSpeed": "\#($0)"}"# }
      let answers = [
        "df -P /x": "Filesystem Blocks\n/dev/disk4s1 1 1 1 1% /x\n", "diskutil info -plist disk4s1": Self.disk("disk4s1", "USB"),
        "diskutil info -plist disk4": Self.disk("disk4", "USB", "<key>MediaName</key><string>Example T7 Media</string>"),
        "system_profiler -json SPUSBHostDataType": #"{"SPUSBHostDataType": [{"_items": [{"_name": "Hub", "_items": [\#(devices.joined(separator: ","))]}]}]}"#,
      ]
      return MacStorage.read("/x", isVirtual: false, privateNames: privateNames) { answers[$0.joined(separator: " ")].map { Data($0.utf8) } }
    }
    #expect(target("10 Gb/s").via == "Hub")
    let alike = target("10 Gb/s", "10 Gb/s")
    #expect(alike.storage == .usb3)
    #expect(alike.linkSpeed == 10e9)
    #expect(alike.via == nil)
    let unlike = target("10 Gb/s", "480 Mb/s")
    #expect(unlike.storage == .other)
    #expect(unlike.doubt == "2 USB devices are called Example T7, on links of different speed")
    // A name that contains this Mac's or its user's name isn't a manufacturer's.
    #expect(target("10 Gb/s", privateNames: ["example"]).device == nil)
    #expect(target("10 Gb/s", privateNames: ["hub"]).via == nil)
    #expect(target("10 Gb/s", "480 Mb/s", privateNames: ["example"]).doubt == "2 USB devices are called the same, on links of different speed")
  }
}

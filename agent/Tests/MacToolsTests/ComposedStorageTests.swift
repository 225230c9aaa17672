import Foundation
import TestSupport
import Testing

@testable import MacTools

/// The oddities of MacToolsStorageCaptureTests in composed output, with tests of the same names.
@Suite struct ComposedStorageTests {
  /// A property list of strings, numbers and booleans; a list of dictionaries nests.
  private func plist(_ entries: [(String, Any)]) -> Data {
    func element(_ value: Any) -> String {
      switch value {
      case let value as [(String, Any)]: "<dict>" + value.map { "<key>\($0.0)</key>" + element($0.1) }.joined() + "</dict>"
      case let value as [[(String, Any)]]: "<array>" + value.map(element).joined() + "</array>"
      case let value as [String]: "<array>" + value.map(element).joined() + "</array>"
      case let value as Bool: value ? "<true/>" : "<false/>"
      case let value as Int: "<integer>\(value)</integer>"
      default: "<string>\(value)</string>"
      }
    }
    return Data(("<?xml version=\"1.0\"?><plist version=\"1.0\">" + element(entries) + "</plist>").utf8)
  }

  private func disk(_ entries: [(String, Any)]) -> DiskInformation? { DiskInformation.read(plist(entries)) }

  @Test("diskutil info as property list")
  func information() {
    // Before macOS 11: an internal drive on PCI, FileVault stated, and a snapshot's container
    // named.
    let catalina = disk([
      ("DeviceIdentifier", "disk1s5"), ("ParentWholeDisk", "disk1"), ("APFSContainerReference", "disk1"),
      ("APFSPhysicalStores", [[("APFSPhysicalStore", "disk0s2" as Any)]]), ("BusProtocol", "PCI"), ("Internal", true), ("SolidState", true),
      ("Encryption", true), ("FileVault", true), ("AESHardware", false), ("FilesystemType", "apfs"), ("APFSContainerFree", 0), ("FreeSpace", 5),
      ("VolumeName", "Never Sent"), ("MediaName", ""), ("Fusion", false),
    ])
    #expect(
      catalina
        == DiskInformation(
          device: "disk1s5", wholeDisk: "disk1", container: "disk1", physicalStores: ["disk0s2"], connection: "PCI", isInternal: true,
          isSolidState: true, isFusion: false, fileSystem: "apfs", freeBytes: 5, isEncrypted: true, hasFileVault: true, hasHardwareEncryption: false))
    // CoreStorage: a synthesised disk over a partition, with its drive's model.
    let coreStorage = disk([
      ("DeviceIdentifier", "disk1"), ("CoreStoragePVs", [[("CoreStoragePVDisk", "disk0s2" as Any)]]), ("CoreStorageEncrypted", true),
      ("CoreStorageCompositeDisk", false), ("VirtualOrPhysical", "Virtual"), ("MediaName", "APPLE SSD SM1024L Media"), ("Internal", true),
    ])
    #expect(coreStorage?.physicalStores == ["disk0s2"])
    #expect(coreStorage?.isEncrypted == true)
    #expect(coreStorage?.isSynthesized == true)
    #expect(coreStorage?.model == "APPLE SSD SM1024L")
    #expect(disk([("DeviceIdentifier", "disk0"), ("BusProtocol", "Apple Fabric"), ("Internal", true), ("MediaName", "APPLE SSD AP4096Z")])?.model == "APPLE SSD AP4096Z")
    #expect(disk([("DeviceIdentifier", "disk4"), ("DeviceLocation", "External"), ("BusProtocol", "USB")])?.isInternal == false)
    #expect(disk([("Error", true), ("ErrorMessage", "Could not find disk: disk99")]) == nil)
  }

  @Test("diskutil info as text")
  func informationText() {
    func read(_ text: String) -> DiskInformation? { DiskInformation.read(Data(text.utf8)) }
    // An Intel Mac's internal SSD is on PCI-Express, like an external Thunderbolt drive.
    let intel = read("   Device Identifier:         disk0\n   Device / Media Name:       APPLE SSD AP0256M\n   Protocol:                  PCI-Express\n   Device Location:           Internal\n   Removable Media:           Fixed\n   Virtual:                   No\n   Disk Size:                 251.0 GB (251000193024 Bytes) (exactly 490234752 512-Byte-Units)\n")
    #expect(intel == DiskInformation(device: "disk0", connection: "PCI-Express", isInternal: true, isRemovable: false, isSynthesized: false, model: "APPLE SSD AP0256M", capacityBytes: 251_000_193_024))
    // A Fusion Drive claims to be solid state; digits grouped as in another country.
    let fusion = read("   Device Identifier: disk2s1\n   APFS Physical Store: disk0s2\n   APFS Physical Store: disk1s2\n   Fusion Drive: Yes\n   Solid State: Yes\n   Container Total Space: 1,0 TB (1.027.680.514.048 Bytes) (exatamente 2007188504)\n   FileVault: No\n   Encrypted: No\n")
    #expect(fusion?.isSolidState == nil)
    #expect(fusion?.physicalStores == ["disk0s2", "disk1s2"])
    #expect(fusion?.capacityBytes == 1_027_680_514_048)
    // ExFAT has no line on encryption, and an excerpt no device name.
    let card = read("   Type (Bundle): exfat\n   Protocol: USB\n   Device Location: External\n   Solid State: Yes\n")
    #expect(card == DiskInformation(connection: "USB", isInternal: false, isSolidState: true, fileSystem: "exfat"))
    let none = read("   Device Identifier: disk3s1\n   Volume Name: Not applicable (no file system)\n   FileVault: No\n   Hardware AES Support: Yes\n   Protocol: Apple Fabric\n")
    #expect(none?.hasHardwareEncryption == true)
  }

  @Test("the outputs of one session, each by itself")
  func session() {
    func info(_ device: String, _ encrypted: String?) -> String {
      "# diskutil info \(device)\n   Device Identifier: \(device)\n   Device Location: Internal\n   Protocol: Apple Fabric\n" + (encrypted.map { "   Encrypted: \($0)\n" } ?? "")
    }
    let all = "# diskutil list\n/dev/disk0 (internal, physical):\n" + info("disk3s1", "No") + info("disk3s5", nil)
    let disks = all.components(separatedBy: "# diskutil ").filter { $0.hasPrefix("info ") }.compactMap { DiskInformation.read(Data($0.utf8)) }
    #expect(disks.map(\.device) == ["disk3s1", "disk3s5"])
    #expect(disks.map(\.isEncrypted) == [false, nil])
  }

  @Test("diskutil list")
  func listings() {
    let text = """
      /dev/disk0 (internal, physical):
         #:                       TYPE NAME                    SIZE       IDENTIFIER
         0:      GUID_partition_scheme                        *28.0 GB    disk0
         1:                        EFI EFI                     314.6 MB   disk0s1
         2:                 Apple_APFS Container disk2         27.6 GB    disk0s2

      /dev/disk2 (synthesized):
         #:                       TYPE NAME                    SIZE       IDENTIFIER
         0:      APFS Container Scheme -                      +1.0 TB     disk2
                                       Physical Stores disk1s2, disk0s2
         1:                APFS Volume Never Sent: 1           600.0 GB   disk2s1
         2:              APFS Snapshot com.apple.os.update-... 10.0 GB    disk2s4s1

      /dev/disk3 (disk image):
         #:                       TYPE NAME                    SIZE       IDENTIFIER
         0:      GUID_partition_scheme                        +10.0 MB    disk3
      """
    let listing = DiskListing.read(Data(text.utf8))
    #expect(listing?.disks.map(\.device) == ["disk0", "disk2", "disk3"])
    #expect(listing?.physicalStores(ofContainer: "disk2") == ["disk1s2", "disk0s2"])
    #expect(listing?.disks.map(\.isDiskImage) == [false, false, true])
    #expect(listing?.disks[0].isInternal == true)
    #expect(listing?.disks[0].content == "GUID_partition_scheme")
    #expect(listing?.disks[1].parts == ["disk2s1", "disk2s4s1"])
    // In a guest: entries without partitions, and an unlisted partition.
    let guest = DiskListing.read(
      plist([
        ("AllDisks", ["disk0", "disk0s1", "disk0s9"]),
        (
          "AllDisksAndPartitions",
          [
            [("DeviceIdentifier", "disk0" as Any), ("Size", 500_277_792_768), ("Partitions", [[("DeviceIdentifier", "disk0s1" as Any)]])],
            [("DeviceIdentifier", "disk1" as Any), ("Content", "7C3457EF-0000-11AA-AA11-00306543ECAC")],
          ]
        ),
      ]))
    #expect(guest?.disks.map(\.parts) == [["disk0s1"], []])
    #expect(guest?.disks[0].sizeBytes == 500_277_792_768)
    #expect(guest?.disks[1].content == nil)
  }

  @Test("diskutil apfs list")
  func containers() {
    #expect(ContainerListing.read(plist([("Containers", [[(String, Any)]]())])) == ContainerListing())
    let list = ContainerListing.read(
      plist([
        (
          "Containers",
          [
            [
              ("ContainerReference", "disk3" as Any), ("PhysicalStores", [[("DeviceIdentifier", "disk0s2" as Any)]]), ("CapacityFree", 144_667_172_864),
              (
                "Volumes",
                [
                  [("DeviceIdentifier", "disk3s1" as Any), ("Encryption", true), ("FileVault", true), ("Roles", ["System"])],
                  [("DeviceIdentifier", "disk3s5" as Any), ("Encryption", false), ("Locked", false), ("Roles", ["Data"])],
                ]
              ),
            ]
          ]
        )
      ]))
    // The snapshot mounted at "/" belongs to the system volume.
    #expect(list?.volume("disk3s1s1")?.hasFileVault == true)
    #expect(list?.volume("disk3s5") == ContainerListing.Volume(device: "disk3s5", roles: ["Data"], isEncrypted: false, isLocked: false))
    #expect(list?.containers[0].freeBytes == 144_667_172_864)
    let text = """
      APFS Container (1 found)
      |
      +-- Container disk4 11111111-2222-3333-4444-555555555555
          ====================================================
          APFS Container Reference:     disk3
          Size (Capacity Ceiling):      245107195904 B (245.1 GB)
          Capacity Not Allocated:       183397150720 B (183.4 GB) (74.8% free)
          |
          +-< Physical Store disk0s2 22222222-3333-4444-5555-666666666666
          |   -----------------------------------------------------------
          |   APFS Physical Store Disk:   disk0s2
          |
          +-> Volume disk3s5 33333333-4444-5555-6666-777777777777
              ---------------------------------------------------
              APFS Volume Disk (Role):   disk3s5 (Data)
              Name:                      Never Sent (Case-insensitive)
              FileVault:                 No (Encrypted at rest)
          +-> Volume disk3s7 44444444-4444-5555-6666-777777777777
              APFS Volume Disk (Role):   disk3s7 (No specific role)
              FileVault:                 No
      """
    let tree = ContainerListing.read(Data(text.utf8))
    #expect(tree?.containers.map(\.reference) == ["disk3"])
    #expect(tree?.containers[0].physicalStores == ["disk0s2"])
    #expect(tree?.containers[0].capacityBytes == 245_107_195_904)
    #expect(tree?.volume("disk3s5")?.isEncryptedAtRest == true)
    #expect(tree?.volume("disk3s7") == ContainerListing.Volume(device: "disk3s7", hasFileVault: false))
  }

  @Test("disk images")
  func images() {
    func image(_ text: String) -> ImageDescription? { ImageDescription.read(Data(text.utf8)) }
    let described = { (format: String, description: String, bytes: Int) in
      "Class Name: CRawDiskImage\nFormat: \(format)\nFormat Description: \(description)\nSize Information:\n\tTotal Bytes: \(bytes)\nProperties:\n\tEncrypted: false\nBacking Store Information:\n\tClass Name: CBSDBackingStore\n\tURL: file:///Users/neversent/x.dmg\n"
    }
    #expect(image(described("UDRW", "raw read/write", 209_715_200)) == ImageDescription(format: .raw, encryption: .unencrypted, capacityBytes: 209_715_200))
    #expect(image(described("RAW*", "raw read/write", 624_951_296))?.format == .raw)
    #expect(image(described("UDZO", "UDIF read-only compressed (zlib)", 6_737_006_592))?.format == .other)
    #expect(image("Class Name: CRawDiskImage\nFormat: UDRW\n")?.encryption == nil)
    #expect(["RAW", "ASIF"].map { image("Image Format: \($0)\nFormat Description: x\n")?.format } == [.raw, .asif])
    // The volume's disk number differs from the image's; the newer tool omits /dev/.
    let sparse = AttachedEntity.read(
      plist([("system-entities", [[("dev-entry", "/dev/disk6" as Any)], [("dev-entry", "/dev/disk9s1" as Any), ("mount-point", "/Volumes/Never Sent"), ("volume-kind", "apfs")]])]))
    #expect(sparse == [AttachedEntity(device: "disk6", isMounted: false), AttachedEntity(device: "disk9s1", isMounted: true, fileSystem: "apfs")])
    let newer = AttachedEntity.read(plist([("system-entities", [[("dev-entry", "disk7s5" as Any), ("filesystem-type", "apfs")]])]))
    #expect(newer == [AttachedEntity(device: "disk7s5", isMounted: false, fileSystem: "apfs")])
  }

  @Test("FileVault, every form of the answer")
  func fileVault() {
    let forms = [
      "FileVault is On.", "FileVault is On, but needs to be restarted to finish.", "FileVault is Off.",
      "FileVault is Off, but will be enabled after the next restart.", "FileVault is Off.\nDeferred enablement appears to be active for user 'neversent'.",
    ].map(FileVaultStatus.read)
    #expect(forms.map(\.isOn) == [true, true, false, false, false])
    #expect(forms.map(\.isPending) == [false, true, false, true, true])
    #expect(FileVaultStatus.read("FileVault is On.\nEncryption in progress: Percent completed = 12\n") == FileVaultStatus(isOn: true, isEncrypting: true, progress: 0.12))
    #expect(FileVaultStatus.read("Decryption in progress: Percent completed = 42\n") == FileVaultStatus(isDecrypting: true, progress: 0.42))
  }

  @Test("Thunderbolt trees")
  func thunderboltTrees() throws {
    let socket = #""receptacle_1_tag": {"current_speed_key": "Up to 120 Gb/s", "receptacle_status_key": "receptacle_no_devices_connected"}"#
    let dock = #"{"device_name_key": "Example Dock", "mode_key": "usb_four", "receptacle_2_tag": {"current_speed_key": "Up to 40 Gb/s"}, "receptacle_upstream_ambiguous_tag": {"current_speed_key": "40 Gb/s", "receptacle_status_key": "receptacle_connected"}}"#
    let mac = #"{"_name": "Never Sent", "device_name_key": "Mac15,14", "domain_uuid_key": "x", "services_title": []}"#
    func bus(_ number: Int, _ items: String, _ socket: String) -> String { #"{"_name": "thunderboltusb4_bus_\#(number)", "_items": [\#(items)], \#(socket)}"# }
    let connected = #""receptacle_1_tag": {"current_speed_key": "80 Gb/s", "receptacle_status_key": "receptacle_connected"}"#
    let tree = try #require(ThunderboltTree.read(Data(#"{"SPThunderboltDataType": [\#(bus(2, "", socket)), \#(bus(1, dock, connected)), \#(bus(0, mac, connected))]}"#.utf8)))
    #expect(tree.buses.map(\.linkSpeed) == [nil, 80e9, 80e9])
    #expect(tree.buses.map(\.number) == [2, 1, 0])
    #expect(tree.all.map(\.device.name) == ["Example Dock"])
    #expect(tree.all[0].device.storage == .usb4)
    #expect(tree.all[0].device.linkSpeed == 40e9)
    // Another Mac isn't a drive, and only the bus reports its link.
    #expect(tree.buses[2].devices[0].linkSpeed == 80e9)
    // The same as a property list; an older bus has another name and two ports.
    let older = ThunderboltTree.read(
      plist([("SPThunderboltDataType", [[("_name", "thunderbolt_bus" as Any), ("_items", [[("mode_key", "thunderbolt_one" as Any), ("receptacle_upstream_tag", [("current_speed_key", "10 Gb/s" as Any)])]])]])]))
    #expect(older?.all.map(\.device.linkSpeed) == [10e9])
    #expect(older?.all.map(\.device.storage) == [.other])
  }

  @Test("USB trees, before and from macOS 26")
  func usbTrees() throws {
    let old = try #require(
      USBTree.read(
        Data(
          #"{"SPUSBDataType": [{"_name": "USB31Bus", "_items": [{"_name": "USB3.0 Hub", "device_speed": "super_speed", "_items": [{"_name": "MD202", "manufacturer": "Example", "device_speed": "super_speed_plus", "Media": [{"bsd_name": "disk11", "volumes": [{"_name": "Never Sent"}]}]}]}, {"_name": "Backup", "device_speed": "super_speed", "Media": [{"bsd_name": "disk6"}]}]}]}"#
            .utf8)))
    #expect(old.chain(disk: "disk11", model: nil)?.device.linkSpeed == 10e9)
    #expect(old.chain(disk: "disk11", model: nil)?.via.map(\.name) == ["USB3.0 Hub"])
    #expect(old.chain(disk: "disk6", model: nil)?.via.isEmpty == true)
    #expect(old.chain(disk: "disk99", model: "No Such Drive") == nil)
    // The older report still exists on macOS 26, but is empty.
    let both = try #require(
      USBTree.read(
        Data(
          #"{"SPUSBDataType": [], "SPUSBHostDataType": [{"_items": [{"_name": "USB3.1 Hub", "_items": [{"_name": "LAN", "USBDeviceKeyVendorName": "Example", "USBDeviceKeyLinkSpeed": "5 Gb/s", "USBDeviceKeyUSB4Tunnel": "Yes"}, {"_name": "Receiver"}, {"_name": "Receiver"}]}]}]}"#
            .utf8)))
    let network = try #require(both.chain(disk: "disk4", model: "Example LAN"))
    #expect(network.device.isTunnelled == true)
    #expect(network.device.linkSpeed == 5e9)
    #expect(network.via.map(\.name) == ["USB3.1 Hub"])
    #expect(both.chain(disk: nil, model: "Receiver") == nil)
  }

  @Test("drives and volumes")
  func drives() throws {
    func drives(_ text: String) -> DriveProfile? { DriveProfile.read(Data(text.utf8)) { _ in "identified" } }
    let internalDrive = drives(
      #"{"SPSerialATADataType": [], "SPNVMeDataType": [{"_name": "Apple SSD Controller", "_items": [{"_name": "APPLE SSD AP0256Z", "bsd_name": "disk0", "device_model": "APPLE SSD AP0256Z  ", "device_serial": "0NEVERSENT", "size_in_bytes": 251000193024, "detachable_drive": "no"}]}]}"#)
    #expect(internalDrive?.drives == [DriveProfile.Drive(disk: "disk0", model: "APPLE SSD AP0256Z", capacityBytes: 251_000_193_024, isDetachable: false, isSolidState: true, identifier: "identified")])
    #expect(drives(#"{"SPNVMeDataType": []}"#) == DriveProfile())
    let external = try #require(drives(#"{"SPNVMeDataType": [{"_items": [{"device_model": "Example MZ1", "device_serial": "S1"}]}]}"#))
    #expect(external.drive(disk: "disk4", model: "Example MZ1")?.identifier == "identified")
    // French sizes, as a property list.
    let french = DriveProfile.read(plist([("SPSerialATADataType", [[("_items", [[("_name", "VBOX HARDDISK   " as Any), ("size", "41,94 Go")]])]])]))
    #expect(french?.drives == [DriveProfile.Drive(model: "VBOX HARDDISK", capacityBytes: 41_940_000_000)])
    let volumes = VolumeProfile.read(
      Data(
        #"{"SPStorageDataType": [{"_name": "Never Sent", "bsd_name": "disk3s1s1", "free_space_in_bytes": 437436678144, "physical_drive": {"is_internal_disk": "yes", "protocol": "Apple Fabric", "medium_type": "ssd"}}, {"bsd_name": "disk4s2", "physical_drive": {"is_internal_disk": "no", "protocol": "USB"}}]}"#
          .utf8))
    #expect(volumes?.volumes.map(\.isInternal) == [true, false])
    #expect(volumes?.volumes.map(\.connection) == ["Apple Fabric", "USB"])
    #expect(volumes?.volumes.map(\.isSolidState) == [true, nil])
    #expect(volumes?.volumes[0].freeBytes == 437_436_678_144)
  }
}

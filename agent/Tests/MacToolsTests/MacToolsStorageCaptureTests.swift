import Foundation
import TestSupport
import Testing

@testable import MacTools

/// Real Macs' output about disks, images and links. Expectations come from reading the files.
@Suite(Captures.counted)
struct MacToolsStorageCaptureTests {
  private func disk(_ name: String) throws -> DiskInformation? {
    DiskInformation.read(try Captures.data("diskutil_hdiutil/" + name))
  }

  @Test("diskutil info as property list")
  func information() throws {
    #expect(
      try disk("Julian-Heng__diskutil_info_catalina_disk1s5.plist")
        == DiskInformation(
          device: "disk1s5", wholeDisk: "disk1", container: "disk1", physicalStores: ["disk0s2"], connection: "PCI",
          isInternal: true, isSolidState: true, isRemovable: false, isFusion: false, fileSystem: "apfs",
          capacityBytes: 250_790_436_864, freeBytes: 198_511_091_712, isEncrypted: true, hasFileVault: true,
          hasHardwareEncryption: false, isOnThunderbolt: false))
    #expect(
      try disk("balena__drivelist_no-partition-info.plist")
        == DiskInformation(
          device: "disk1", wholeDisk: "disk1", physicalStores: ["disk0s2"], connection: "PCI-Express", isInternal: true,
          isSolidState: true, isRemovable: false, isSynthesized: true, isFusion: false, model: "APPLE SSD SM1024L",
          fileSystem: "hfs", capacityBytes: 999_250_984_960, freeBytes: 519_507_255_296, isEncrypted: true,
          isOnThunderbolt: false))
    #expect(
      try disk("google__cauliflowervest_info.plist")
        == DiskInformation(
          device: "disk1s1", wholeDisk: "disk1", isSolidState: true, fileSystem: "apfs",
          capacityBytes: 250_135_076_864))
    #expect(
      try disk("unidentified-54648537055__m5max_info_disk0_trimmed.plist")
        == DiskInformation(
          device: "disk0", connection: "Apple Fabric", isInternal: true, isSolidState: true, isRemovable: false,
          model: "APPLE SSD AP4096Z", capacityBytes: 4_002_222_325_760, isOnThunderbolt: false))
    #expect(try disk("unidentified-59025683578__info_disk0_smart_trimmed.plist")?.model == "APPLE SSD AP1024Z")
    #expect(try disk("unidentified-60859006699__macos26_info_disk0_trimmed.plist")?.isInternal == true)
    #expect(
      try disk("unidentified-60859006699__macos26_info_disk3_container_trimmed.plist")
        == DiskInformation(
          device: "disk3", wholeDisk: "disk3", physicalStores: ["disk0s2"], connection: "Apple Fabric",
          isInternal: true, isRemovable: false, isSynthesized: true, capacityBytes: 994_610_155_520))
    #expect(
      try disk("unidentified-71167155043__info_external_wholedisk_trimmed.plist")
        == DiskInformation(
          device: "disk4", wholeDisk: "disk4", connection: "USB", isInternal: false,
          capacityBytes: 500_107_837_440))
    #expect(try disk("unidentified-71167155043__info_macintosh_hd_trimmed.plist")?.container == "disk3")
    #expect(try disk("unidentified-60859006699__info_error_nodisk.plist") == nil)
  }

  @Test("diskutil info as text")
  func informationText() throws {
    #expect(
      try disk("AsahiLinux__m1_macos11_info_disk3s1.txt")
        == DiskInformation(
          device: "disk3s1", wholeDisk: "disk3", container: "disk3", physicalStores: ["disk0s2"],
          connection: "Apple Fabric", isInternal: true, isSolidState: true, isRemovable: false, isFusion: false,
          fileSystem: "apfs", capacityBytes: 245_107_195_904, freeBytes: 183_397_150_720, isEncrypted: false,
          hasFileVault: false, hasHardwareEncryption: true))
    #expect(
      try disk("unidentified-36534114397__intel_info_disk0.txt")
        == DiskInformation(
          device: "disk0", wholeDisk: "disk0", connection: "PCI-Express", isInternal: true, isSolidState: true,
          isRemovable: false, isSynthesized: false, model: "APPLE SSD AP0256M", capacityBytes: 251_000_193_024))
    // A Fusion Drive claims to be solid state.
    #expect(
      try disk("unidentified-70603426800__fusion_imac_macos15_info_data.txt")
        == DiskInformation(
          device: "disk2s1", wholeDisk: "disk2", container: "disk2", physicalStores: ["disk0s2", "disk1s2"],
          connection: "PCI-Express", isInternal: true, isRemovable: false, isFusion: true, fileSystem: "apfs",
          capacityBytes: 1_027_680_514_048, freeBytes: 374_632_353_792, isEncrypted: false, hasFileVault: false,
          hasHardwareEncryption: false))
    #expect(
      try disk("kigster-57098341028__sandisk_usb_exfat_diskutil_info_edited.txt")
        == DiskInformation(
          connection: "USB", isInternal: false, isSolidState: true, isRemovable: false, fileSystem: "exfat",
          capacityBytes: 2_000_301_326_336, freeBytes: 1_944_071_700_480))
  }

  @Test("the outputs of one session, each by itself")
  func session() throws {
    let all = try Captures.text("diskutil_hdiutil/AsahiLinux__m1_macos11_diskutil_text_all.txt")
    let outputs = all.components(separatedBy: "# diskutil ").filter { $0.hasPrefix("info ") }
    let disks = outputs.compactMap { DiskInformation.read(Data($0.utf8)) }
    #expect(disks.count == outputs.count)
    #expect(disks.allSatisfy { $0.isInternal == true && $0.hasFileVault == false && $0.connection == "Apple Fabric" })
    // Only the Data volume, whose FileVault is off, lacks the line "Encrypted".
    #expect(disks.filter { $0.isEncrypted == nil }.map(\.device) == ["disk3s5"])
  }

  private func listing(_ name: String) throws -> DiskListing? {
    DiskListing.read(try Captures.data("diskutil_hdiutil/" + name))
  }

  @Test("diskutil list")
  func listings() throws {
    let fusion = try #require(try listing("unidentified-70603426800__fusion_imac_macos15_list.txt"))
    #expect(fusion.disks.map(\.device) == ["disk0", "disk1", "disk2", "disk3", "disk4"])
    #expect(fusion.physicalStores(ofContainer: "disk2") == ["disk1s2", "disk0s2"])
    #expect(fusion.disks.map(\.isDiskImage) == [false, false, false, true, false])
    #expect(fusion.disks[0].isInternal == true)
    #expect(fusion.disks[2].parts == ["disk2s1", "disk2s2", "disk2s3", "disk2s4", "disk2s4s1", "disk2s6"])
    #expect(fusion.disks[4].physicalStores == ["disk3"])
    let image = try #require(try listing("sleuthkit3302_diskutil_list_dmg.txt"))
    #expect(image.disks[0].isDiskImage == true)
    #expect(image.disks[0].content == "GUID_partition_scheme")
    #expect(image.physicalStores(ofContainer: "disk49") == ["disk48s1"])
    #expect(try listing("veracrypt1629_diskutil_list_newmac_excerpt.txt")?.disks[0].parts == ["disk0s1", "disk0s2", "disk0s3"])
    let guest = try #require(try listing("cirruslabs__tart_SingleDisk_list.plist"))
    #expect(guest.disks.map(\.parts) == [["disk0s1", "disk0s2"]])
    #expect(guest.disks[0].sizeBytes == 500_277_792_768)
    #expect(try listing("cirruslabs__tart_SingleDiskWithRecoveryPartition_list.plist")?.disks[0].parts.count == 3)
    #expect(try listing("google__cauliflowervest_list.plist")?.disks[1].parts == ["disk1s1", "disk1s2", "disk1s3", "disk1s4"])
    #expect(try listing("balena__drivelist_no-partition-list.plist")?.disks.map(\.device) == ["disk0", "disk1", "disk2"])
  }

  @Test("diskutil apfs list")
  func containers() throws {
    func read(_ name: String) throws -> ContainerListing? {
      ContainerListing.read(try Captures.data("diskutil_hdiutil/" + name))
    }
    #expect(try read("google__cauliflowervest_empty_apfs_list.plist") == ContainerListing())
    let old = try #require(try read("google__cauliflowervest_unencrypted_apfs_list.plist"))
    #expect(old.containers[0].physicalStores == ["disk0s2"])
    #expect(old.volume("disk1s1") == ContainerListing.Volume(device: "disk1s1", isEncrypted: false, isLocked: false))
    let mojave = try #require(try read("mikekazakov__apfs_list_10_14.plist"))
    #expect(mojave.containers.map(\.reference) == ["disk1", "disk4", "disk6"])
    #expect(mojave.containers[1].freeBytes == 144_667_172_864)
    let bigSur = try #require(try read("mikekazakov__apfs_list_11_1.plist"))
    #expect(bigSur.containers.count == 4)
    // The snapshot mounted at "/" belongs to the system volume.
    #expect(bigSur.volume("disk3s1s1")?.hasFileVault == true)
    #expect(bigSur.volume("disk3s5")?.roles == ["Data"])
    #expect(bigSur.volume("disk3s6")?.hasFileVault == false)
    #expect(bigSur.volume("disk5s1")?.roles == ["Backup"])
    let text = try #require(try read("AsahiLinux__m1_macos11_apfs_list_disk3.txt"))
    #expect(text.containers[0].physicalStores == ["disk0s2"])
    #expect(text.containers[0].capacityBytes == 245_107_195_904)
    #expect(text.containers[0].freeBytes == 183_397_150_720)
    #expect(text.volume("disk3s5")?.isEncryptedAtRest == true)
    #expect(text.volume("disk3s5")?.hasFileVault == false)
    #expect(text.volume("disk3s2")?.isEncryptedAtRest == nil)
    let image = try #require(try read("unidentified-31273451634__diskutil_list_and_apfs_list_image.txt"))
    #expect(image.containers[0].volumes == [ContainerListing.Volume(device: "disk4s1", hasFileVault: false)])
  }

  @Test("disk images")
  func images() throws {
    func image(_ name: String) throws -> ImageDescription? {
      ImageDescription.read(try Captures.data("diskutil_hdiutil/" + name))
    }
    #expect(
      try image("unidentified-31273451634__hdiutil_imageinfo_UDRW_apfs.txt")
        == ImageDescription(format: .raw, encryption: .unencrypted, capacityBytes: 209_715_200))
    #expect(
      try image("unidentified-5807608734__hdiutil_imageinfo_RAW_fdisk.txt")
        == ImageDescription(format: .raw, encryption: .unencrypted, capacityBytes: 624_951_296))
    #expect(
      try image("go-apfs21_hdiutil_imageinfo_UDRW_excerpt.txt")
        == ImageDescription(format: .raw, capacityBytes: 124_961_792))
    #expect(
      try image("elatov__hdiutil_imageinfo_UDZO.txt")
        == ImageDescription(format: .other, encryption: .unencrypted, capacityBytes: 6_737_006_592))
    let answers = try Captures.text("diskutil_hdiutil/Code-Hex__vz196_diskutil_image_info_excerpt.txt")
      .components(separatedBy: "$ ").filter { !$0.isEmpty }
    #expect(answers.map { ImageDescription.read(Data($0.utf8))?.format } == [.raw, .asif])
    func devices(_ name: String) throws -> [AttachedEntity]? {
      AttachedEntity.read(try Captures.data("diskutil_hdiutil/" + name))
    }
    let sparse = try #require(try devices("stuffbucket__hdiutil_attach_sparse.plist"))
    #expect(sparse.map(\.device) == ["disk6", "disk6s1", "disk9s1", "disk9"])
    #expect(sparse.filter(\.isMounted).map(\.device) == ["disk9s1"])
    let asif = try #require(try devices("lima-vm__diskutil_image_attach_asif.plist"))
    #expect(asif.first?.device == "disk4")
    #expect(asif.contains(AttachedEntity(device: "disk7s5", isMounted: false, fileSystem: "apfs")))
    #expect(try devices("Homebrew__hdiutil_attach_hfs.plist")?.filter(\.isMounted).map(\.fileSystem) == ["hfs"])
  }

  @Test("FileVault, every form of the answer")
  func fileVault() throws {
    let forms = try Captures.text("diskutil_hdiutil/fdesetup_status_five_forms.txt")
      .split(separator: "\n").map { FileVaultStatus.read(String($0)) }
    #expect(forms.map(\.isOn) == [true, true, false, false, false])
    #expect(forms.map(\.isPending) == [false, true, false, true, true])
    let states = try Captures.text("diskutil_hdiutil/fleetlike__fdesetup_status_states.txt")
      .components(separatedBy: "---").map(FileVaultStatus.read)
    #expect(states.map(\.isOn) == [true, false, false, true, nil])
    #expect(states[3] == FileVaultStatus(isOn: true, isEncrypting: true, progress: 0.12))
    #expect(states[4] == FileVaultStatus(isDecrypting: true, progress: 0.42))
  }

  private func thunderbolt(_ name: String) throws -> ThunderboltTree? {
    ThunderboltTree.read(try Captures.data("system_profiler/" + name))
  }

  @Test("Thunderbolt trees")
  func thunderboltTrees() throws {
    let dock = try #require(try thunderbolt("Peyton-C__tb5mac_macos26_tb4dock_SPThunderbolt.json"))
    #expect(try thunderbolt("Peyton-C__tb5mac_macos26_tb4dock_SPThunderbolt.plist") == dock)
    #expect(dock.buses.map(\.linkSpeed) == [nil, nil, 40e9])
    #expect(dock.all.map(\.device.name) == ["Thunderbolt 4 Docking Station (8-in-1)"])
    #expect(dock.all[0].device.storage == .usb4)
    #expect(dock.all[0].device.linkSpeed == 40e9)
    #expect(dock.all[0].via.isEmpty)
    let peer = try #require(try thunderbolt("unidentified-58177743422__m5max_macos26_tb5peer_SPThunderbolt.json"))
    // Another Mac isn't a drive, and only the bus reports its link.
    #expect(peer.all.isEmpty)
    #expect(peer.buses[2].devices[0].linkSpeed == 80e9)
    let idle = try #require(try thunderbolt("cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json"))
    #expect(idle.all.isEmpty && idle.buses.count == 1)
    let old = try #require(try thunderbolt("Peyton-C__intel_macos15_tb1_SPThunderbolt.json"))
    #expect(old.buses[0].devices[0].linkSpeed == 10e9)
    #expect(old.buses[0].devices[0].storage == .other)
    let drive = try #require(try thunderbolt("DrivePulse-56686997573__acasis_tb3_nvme_derived_excerpt.json"))
    #expect(drive.all.map(\.device.storage) == [.thunderbolt3])
    #expect(drive.all[0].device.vendor == "ACASIS")
    #expect(try thunderbolt("OTMKit-70340394392__m5pro_and_vm_macos26_usb_tb_excerpt.json")?.all.isEmpty == true)
  }

  @Test("USB trees, before and from macOS 26")
  func usbTrees() throws {
    func usb(_ name: String) throws -> USBTree? { USBTree.read(try Captures.data("system_profiler/" + name)) }
    let old = try #require(try usb("owenzhao__m1_macos15_SPUSB_extssd.json"))
    let drive = try #require(old.chain(disk: "disk11", model: nil))
    #expect(drive.device.linkSpeed == 10e9)
    #expect(drive.device.vendor == "HIKSEMI")
    #expect(drive.via.map(\.name) == ["USB3.0 Hub"])
    #expect(old.chain(disk: "disk6", model: nil)?.via.isEmpty == true)
    #expect(old.chain(disk: "disk6", model: nil)?.device.linkSpeed == 5e9)
    #expect(old.chain(disk: "disk99", model: "No Such Drive") == nil)
    #expect(try usb("Peyton-C__intel_macos15_SPUSB_full.json")?.chain(disk: "disk4", model: nil)?.device.linkSpeed == 5e9)
    let new = try #require(try usb("OTMKit-70340394392__m5pro_and_vm_macos26_usb_tb_excerpt.json"))
    #expect(new.chain(disk: "disk4", model: "SanDisk 3.2 Gen1")?.device.linkSpeed == 5e9)
    let dock = try #require(try usb("Peyton-C__tb5mac_macos26_SPUSBHost_full.json"))
    let network = try #require(dock.chain(disk: nil, model: "USB 10/100/1000 LAN"))
    #expect(network.device.isTunnelled == true)
    #expect(network.via.map(\.name) == ["USB3.0 Hub", "USB3.1 Hub"])
    // Two receivers have the same name.
    #expect(dock.chain(disk: nil, model: "USB Receiver") == nil)
    #expect(try usb("glpi__SPUSB4.plist")?.buses[0].devices.map(\.linkSpeed) == [12e6, 12e6])
    #expect(try usb("tuna-f1sh__cyme_SPUSB.json")?.buses.isEmpty == false)
  }

  @Test("drives and volumes")
  func drives() throws {
    func drives(_ name: String) throws -> DriveProfile? {
      DriveProfile.read(try Captures.data("system_profiler/" + name)) { _ in "identified" }
    }
    let internalDrive = try #require(try drives("unidentified-58368312392__applesilicon_AP0256Z_SPNVMe_SATA_Storage.json"))
    #expect(
      internalDrive.drives == [
        DriveProfile.Drive(
          disk: "disk0", model: "APPLE SSD AP0256Z", capacityBytes: 251_000_193_024, isDetachable: false, isSolidState: true,
          identifier: "identified")
      ])
    #expect(try drives("OTMKit-70812140529__m5pro_macos26_nvme_sata_excerpt.json")?.drives.map(\.disk) == ["disk0"])
    #expect(try drives("cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json")?.drives[0].capacityBytes == 1_000_555_581_440)
    #expect(try drives("EverydayOpen__tirekick_vm_macos26_SPNVMe.json") == DriveProfile())
    let external = try #require(try drives("DrivePulse-56686997573__acasis_tb3_nvme_derived_excerpt.json"))
    #expect(external.drive(disk: "disk4", model: "SAMSUNG MZVLB1T0HBLR-000L2")?.identifier == "identified")
    let french = try #require(try drives("glpi__vbox_SPSerialATA_fr.plist"))
    #expect(french.drives.map(\.model) == ["VBOX HARDDISK", "VBOX CD-ROM"])
    #expect(french.drives[0].capacityBytes == 41_943_040_000)
    let volumes = VolumeProfile.read(try Captures.data("system_profiler/EverydayOpen__tirekick_applesilicon_AP1024Z_usb_SPStorage.json"))
    #expect(volumes?.volumes.map(\.isInternal) == [true, false, true])
    #expect(volumes?.volumes.map(\.connection) == ["Apple Fabric", "USB", "Apple Fabric"])
    #expect(volumes?.volumes.map(\.isSolidState) == [true, nil, true])
    #expect(volumes?.volumes[0].freeBytes == 437_436_678_144)
  }
}

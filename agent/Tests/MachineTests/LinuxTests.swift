import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Machine

@Suite struct LinuxTests {
  @Test("facts of a virtual machine")
  func facts() {
    let facts = LinuxFacts.read(
      .test(files: [
        "/proc/cpuinfo": LinuxSamples.cpuinfo,
        "/proc/meminfo": "MemTotal:        2048 kB\nMemFree: 1 kB\n",
        "/proc/loadavg": "1.50 0.30 0.20 1/100 4242\n",
        "/etc/os-release": "PRETTY_NAME=\"X\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"13\"\n",
        "/sys/class/dmi/id/sys_vendor": "QEMU\n",
        "/sys/class/dmi/id/product_name": "Standard PC\n",
      ]))
    #expect(facts.chip == "Example CPU 9000 @ 3.00GHz")
    #expect(facts.coreTiers == [CoreTier(name: "Example CPU 9000 @ 3.00GHz", cores: 1)])
    #expect(facts.memoryBytes == 2_097_152)
    #expect(facts.load == 0.75)
    #expect(facts.model == "Standard PC")
    #expect(facts.environment.osVersion == "Debian GNU/Linux 13")
    #expect(facts.environment.virtualMachine?.software == "QEMU")
    #expect(facts.environment.virtualMachine?.vcpus == 2)
    #expect(facts.environment.powerSource == nil)
  }

  @Test("what a system does not tell is absent")
  func nothing() {
    let facts = LinuxFacts.read(.test())
    #expect(facts == MachineFacts())
  }

  @Test("a serial number in the product's place is not passed on")
  func serials() {
    for serial in ["C02XG0FDJG5H", "PF2ABCD12345", "System Product Name"] {
      #expect(LinuxFacts.product(.test(files: ["/sys/class/dmi/id/product_name": serial])) == nil)
    }
    for name in ["MacBookAir10,1", "ThinkPad X1 Carbon Gen 9", "20XW005PGE"] {
      #expect((LinuxFacts.product(.test(files: ["/sys/class/dmi/id/product_name": name])) != nil) == (name != "20XW005PGE"))
    }
  }

  @Test("power comes from the battery only while it discharges, and a mouse's does not count")
  func power() {
    let folder = "/sys/class/power_supply"
    let battery = { (status: String) in
      World.test(files: ["\(folder)/BAT0/type": "Battery\n", "\(folder)/BAT0/status": status])
    }
    #expect(LinuxFacts.powerSource(battery("Discharging\n")) == "battery")
    #expect(LinuxFacts.powerSource(battery("Charging\n")) == "ac")
    let mouse = World.test(files: [
      "\(folder)/hid/type": "Battery", "\(folder)/hid/status": "Discharging", "\(folder)/hid/scope": "Device",
    ])
    #expect(LinuxFacts.powerSource(mouse) == "ac")
  }

  // MARK: targets

  /// A world with one mount at / and its device directory.
  func target(
    fileSystem: String = "ext4", disk: String, files: [String: String] = [:], links: [String: String] = [:]
  ) -> TargetRecord {
    var files = files
    files["/proc/self/mountinfo"] = "27 1 8:1 / / rw,relatime shared:1 - \(fileSystem) /dev/root rw\n"
    var links = links
    links["/"] = "/"
    links["/sys/dev/block/8:1"] = disk
    return LinuxTarget(world: .test(files: files, links: links)).record(path: "/", deviceKey: [1])
  }

  @Test("kinds of storage, by the device's place in the system")
  func kinds() {
    let pci = "/sys/devices/pci0000:00/0000:00:1d.0"
    #expect(target(disk: "\(pci)/virtio1/block/vda").storage == .virtualDisk)
    #expect(target(disk: "\(pci)/nvme/nvme0/nvme0n1").storage == .internal)
    #expect(target(disk: "\(pci)/ata1/host0/target0:0:0/0:0:0:0/block/sda").storage == .internal)
    let turning = "\(pci)/ata1/host0/target0:0:0/0:0:0:0/block/sda"
    #expect(target(disk: turning, files: ["\(turning)/queue/rotational": "1\n"]).storage == .internalHardDisk)
    #expect(target(disk: turning, files: ["\(turning)/queue/rotational": "0\n"]).storage == .internal)
    #expect(target(disk: "/sys/devices/virtual/block/zram0").storage == .other)
    #expect(target(fileSystem: "nfs4", disk: "").storage == .network)
    let removable = target(
      disk: "\(pci)/nvme/nvme0/nvme0n1", files: ["\(pci)/removable": "removable\n"])
    #expect(removable.storage == .other)
  }

  @Test("EBS volumes and virtual drives say so in their model")
  func models() {
    let disk = "/sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1"
    let model = { (name: String) in self.target(disk: disk, files: ["\(disk)/device/model": name]) }
    #expect(model("Amazon Elastic Block Store              \n").storage == .ebs)
    #expect(model("QEMU NVMe Ctrl").storage == .virtualDisk)
    #expect(model("Example SSD 990").device == "Example SSD 990")
  }

  @Test("USB drives with their link's rate, in bit/s")
  func usb() {
    let port = "/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1"
    let disk = "\(port)/2-1:1.0/host4/target4:0:0/4:0:0:0/block/sdb"
    let fast = target(disk: disk, files: ["\(port)/speed": "10000\n", "\(disk)/removable": "0"])
    #expect(fast.storage == .usb3)
    #expect(fast.linkSpeed == 10e9)
    #expect(target(disk: disk, files: ["\(port)/speed": "480\n"]).storage == .other)
  }

  @Test("through a partition and an encrypted layer down to the disk")
  func encrypted() {
    let disk = "/sys/devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1"
    let layer = "/sys/devices/virtual/block/dm-0"
    let found = target(
      disk: layer,
      files: [
        "\(layer)/dm/uuid": "CRYPT-LUKS2-0123456789abcdef-root\n", "\(disk)/nvme0n1p2/partition": "2\n",
        "\(disk)/device/serial": "S5GXNX0T123456\n",
      ],
      links: ["\(layer)/slaves/nvme0n1p2": "\(disk)/nvme0n1p2"])
    #expect(found.storage == .internal)
    #expect(found.encryption == Encryption("dm_crypt"))
    #expect(found.deviceID?.count == 16)
    #expect(found.deviceID?.contains("S5GX") == false)
  }

  @Test("a RAID set of two disks is neither of them")
  func several() {
    let set = "/sys/devices/virtual/block/md0"
    let disks = ["sda", "sdb"].map { "/sys/devices/pci0000:00/ata1/block/" + $0 }
    let found = target(disk: set, links: ["\(set)/slaves/sda": disks[0], "\(set)/slaves/sdb": disks[1]])
    #expect(found.storage == .other)
    #expect(found.doubt == "the volume spans several disks")
  }

  @Test("encryption that cannot be seen is unknown, never none")
  func unknownEncryption() {
    #expect(target(disk: "/sys/devices/x/nvme0n1").encryption == .unknown)
    #expect(LinuxTarget(world: .test()).record(path: "/x", deviceKey: []).encryption == .unknown)
  }

  @Test("of nested mounts the innermost holds the path; spaces in mount points are understood")
  func mounts() {
    let text = """
      27 1 8:1 / / rw - ext4 /dev/sda1 rw
      28 27 0:40 / /mnt/my\\040disk rw - tmpfs none rw
      29 27 8:2 / /mnt/mydisk rw - xfs /dev/sda2 rw
      """
    let target = LinuxTarget(world: .test(files: ["/proc/self/mountinfo": text]))
    #expect(target.mount(of: "/mnt/my disk/a")?.fileSystem == "tmpfs")
    #expect(target.mount(of: "/mnt/mydisk")?.fileSystem == "xfs")
    #expect(target.mount(of: "/mnt/mydisk2")?.fileSystem == "ext4")
  }

  @Test("a loop device is an image, and its host is known")
  func loop() {
    let loop = "/sys/devices/virtual/block/loop0"
    let disk = "/sys/devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1"
    let text = """
      27 1 8:1 / / rw - ext4 /dev/sda1 rw
      28 27 7:0 / /mnt rw - ext4 /dev/loop0 rw
      """
    let world = World.test(
      files: ["/proc/self/mountinfo": text, "\(loop)/loop/backing_file": "/images/a.raw\n"],
      links: ["/mnt": "/mnt", "/images": "/images", "/sys/dev/block/7:0": loop, "/sys/dev/block/8:1": disk])
    let found = LinuxTarget(world: world).record(path: "/mnt", deviceKey: [1])
    #expect(found.storage == .diskImage)
    #expect(found.image?.format == .raw)
    #expect(found.image?.host?.storage == .internal)
    #expect(found.encryption == .unencrypted)
  }

  @Test("an image within FUSE is what a program makes of something unknown")
  func loopInFUSE() {
    let loop = "/sys/devices/virtual/block/loop0"
    let text = """
      27 1 0:50 / /tmp/.veracrypt_aux_mnt1 rw - fuse.veracrypt veracrypt rw
      28 27 7:0 / /mnt rw - ext4 /dev/loop0 rw
      """
    let aux = "/tmp/.veracrypt_aux_mnt1"
    let world = World.test(
      files: ["/proc/self/mountinfo": text, "\(loop)/loop/backing_file": "\(aux)/volume\n"],
      links: ["/mnt": "/mnt", aux: aux, "/sys/dev/block/7:0": loop])
    let found = LinuxTarget(world: world).record(path: "/mnt", deviceKey: [1])
    #expect(found.storage == .diskImage)
    #expect(found.image?.format == nil)
    #expect(found.encryption == .unknown)
  }
}

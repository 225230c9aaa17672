import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Measure

/// A Linux whose loop device is released by one process and taken by another.
private final class LoopDevice: @unchecked Sendable {
  static let ours = "/target/.macmeter-1/image.raw"
  static let others = "/elsewhere/.macmeter-2/image.raw"
  /// The file it holds at each look; the last one repeats.
  private var owners: [String]
  private(set) var calls: [String] = []

  init(owners: [String]) { self.owners = owners }

  func world() -> World {
    var world = World.test()
    world.sleep = { _ in }
    world.resolve = { $0 }
    world.list = { _ in ["loop0", "sda"] }
    world.readText = { path in
      switch path {
      case "/sys/block/loop0/loop/backing_file":
        return self.owners.count > 1 ? self.owners.removeFirst() : self.owners[0]
      case "/proc/self/mountinfo":
        let place = (self.owners[0] as NSString).deletingLastPathComponent
        return "41 29 7:0 / \(place)/mounted rw - ext4 /dev/loop0 rw\n"
      default: return nil
      }
    }
    world.run = { tool, arguments, _ in
      self.calls.append(([tool] + arguments).joined(separator: " "))
      if tool == "losetup" { self.owners = [""] }
      return ToolResult(status: 0, output: Data())
    }
    return world
  }
}

@Suite struct LoopImageTests {
  @Test("a leftover image is unmounted and detached")
  func leftover() {
    let device = LoopDevice(owners: [LoopDevice.ours])
    LoopImageTools.detachAll(in: "/target/.macmeter-1", world: device.world())
    #expect(device.calls == ["umount /target/.macmeter-1/mounted", "losetup --detach /dev/loop0"])
  }

  @Test("a device that another process has taken meanwhile is left alone")
  func taken() {
    let device = LoopDevice(owners: [LoopDevice.ours, LoopDevice.others])
    LoopImageTools.detachAll(in: "/target/.macmeter-1", world: device.world())
    #expect(device.calls.isEmpty)
  }
}

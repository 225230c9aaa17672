import Base
import Document
import MacTools

/// The storage that a run in a directory would measure. Always probed, never taken from the user.
package enum Target {
  package static func probe(
    _ path: String, facts: MachineFacts, deviceKey: [UInt8], world: World
  ) -> TargetRecord {
    var target: TargetRecord
    switch world.system {
    case .macOS:
      let isVirtual = facts.environment.virtualMachine != nil
      let storage = MacStorage(
        MacFacts.tools(world), isVirtual: isVirtual, model: facts.model, deviceKey: deviceKey,
        privateNames: world.privateNames())
      target = storage.target(path, depth: 0)
    case .linux:
      target = LinuxTarget(world: world).record(path: path, deviceKey: deviceKey)
    }
    target.simultaneous = 1
    // A replayed Mac has neither this machine's free space nor its disk images.
    if world.isSimulated { target.imageFile = nil }
    if !world.isSimulated, let space = VolumeSpace.of(path) {
      target.capacityBytes = space.capacity
      target.freeBytes = space.free
    }
    return target
  }
}

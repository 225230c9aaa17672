/// What a storage run in a directory would be measured on. Always probed, never taken from the user.
public enum Target {
  public static func probe(
    _ path: String, facts: MachineFacts, deviceKey: [UInt8], world: World
  ) -> TargetRecord {
    #if canImport(Darwin)
      let virtual = facts.environment.virtualMachine != nil
      var target = MacTarget(world: world, virtual: virtual).record(path: path, deviceKey: deviceKey)
    #else
      var target = LinuxTarget(world: world).record(path: path, deviceKey: deviceKey)
    #endif
    target.simultaneous = 1
    if let space = VolumeSpace.of(path) {
      target.capacityBytes = space.capacity
      target.freeBytes = space.free
    }
    return target
  }
}

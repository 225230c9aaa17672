import Base
import Document
import Foundation

/// Whether power can be sampled here.
package enum PowerAccess {
  package struct Obstacle: Equatable {
    package let words: String
    package let fix: String
  }

  package static func obstacle(_ facts: MachineFacts, _ world: World) -> Obstacle? {
    guard world.system == .macOS else {
      return Obstacle(words: "power is sampled by macOS's powermetrics, which is not on this system", fix: "Run `macmeter power` on a Mac.")
    }
    if facts.environment.virtualMachine != nil {
      return Obstacle(
        words: "this is a virtual machine, which cannot see its host's power or frequencies", fix: "Run `macmeter power` on the host.")
    }
    guard world.isSimulated || geteuid() == 0 else {
      return Obstacle(words: "sampling power needs root", fix: "sudo macmeter power")
    }
    return nil
  }
}

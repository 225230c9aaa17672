import Base
import Document
import Foundation

/// Check of whether power can be sampled here.
package enum PowerAccess {
  package struct Obstacle: Equatable {
    package let words: String
    package let fix: String
  }

  package static func obstacle(_ facts: MachineFacts, _ world: World) -> Obstacle? {
    guard world.system == .macOS else {
      return Obstacle(words: "measuring power needs macOS's powermetrics, which this system doesn't have", fix: "Run `macmeter power` on a Mac.")
    }
    if facts.environment.virtualMachine != nil {
      return Obstacle(
        words: "a virtual machine can't see its host's power or frequencies", fix: "Run `macmeter power` on the host.")
    }
    guard world.isSimulated || geteuid() == 0 else {
      return Obstacle(words: "measuring power needs root", fix: "sudo macmeter power")
    }
    return nil
  }
}

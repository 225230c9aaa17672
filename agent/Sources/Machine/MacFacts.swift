import Base
import Document
import Foundation
import MacTools

/// This machine's facts on macOS, from its own tools.
package enum MacFacts {
  package static func read(_ world: World) -> MachineFacts {
    var facts = MacMachine.read(tools(world))
    facts.environment.thermalState = world.thermalState()
    return facts
  }

  /// A runner that runs each command once per reading: some take a second. Output counts whatever
  /// the exit code: sysctl fails if it lacks one of the names.
  package static func tools(_ world: World) -> MacToolRunner {
    let answers = Answers()
    return { command in
      answers.of(command) {
        command.first.flatMap { world.run($0, Array(command.dropFirst()), nil)?.output }
      }
    }
  }

  private final class Answers {
    private var known: [[String]: Data?] = [:]

    func of(_ command: [String], _ ask: () -> Data?) -> Data? {
      if let answer = known[command] { return answer }
      let answer = ask()
      known[command] = .some(answer)
      return answer
    }
  }

  /// The current power source; pmset also reports "ups".
  package static func powerSource(_ world: World) -> String? {
    PowerState.read(world.run("pmset", ["-g", "batt"], nil)?.text ?? "").source
  }

  /// Identifiers to seal the state with. Clones of a virtual machine share the platform's UUID but
  /// not the network address.
  package static func ownIdentifiers(_ world: World) -> [String: String] {
    var identifiers: [String: String] = [:]
    let platform = world.run("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"], nil)?.text ?? ""
    identifiers["platform-uuid"] = quotedValue("IOPlatformUUID", in: platform)
    if world.run("sysctl", ["-n", "kern.hv_vmm_present"], nil)?.text.hasPrefix("1") == true {
      let answer = world.run("networksetup", ["-getmacaddress", "en0"], nil)?.text ?? ""
      identifiers["network-address"] = answer.split(separator: " ").first { $0.contains(":") && $0.count == 17 }
        .map(String.init)
    }
    return identifiers
  }

  private static func quotedValue(_ key: String, in text: String) -> String? {
    guard let line = text.split(separator: "\n").first(where: { $0.contains("\"\(key)\"") }) else {
      return nil
    }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count >= 4 ? String(parts[3]) : nil
  }
}

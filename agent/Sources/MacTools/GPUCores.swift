import Base
import Formats

/// Number of GPU cores, from `ioreg -w0 -rc AGXAccelerator -d1`.
package enum GPUCores {
  /// nil if the registry doesn't say (virtual machines, Intel).
  package static func read(_ text: String) -> Int? {
    for line in Lines.of(text) {
      guard let sign = line.range(of: "\"gpu-core-count\" = ") else { continue }
      let count = Int(trimmed(line[sign.upperBound...]))
      return count.flatMap { (1...4096).contains($0) ? $0 : nil }
    }
    return nil
  }
}

extension GPUCores {
  package static let recorded = RegistryNode.recorded(of: []) { $0 == "gpu-core-count" }
}

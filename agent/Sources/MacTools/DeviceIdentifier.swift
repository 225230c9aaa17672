import Base
import Document

/// Tells two devices of one model apart without telling which they are: a truncated HMAC of the
/// serial number under the agent's own key. The same device gets another one from another agent.
package enum DeviceIdentifier {
  package static func make(serial: String, key: [UInt8]) -> String? {
    let serial = trimmed(serial)
    // Many bridges have the serial number 0000: that tells no two devices apart.
    guard Set(serial).count > 1, !key.isEmpty else { return nil }
    return SHA256.authenticationCode(of: Array(serial.utf8), key: key).prefix(8).hexadecimal
  }
}

import Base
import Document

/// An identifier that distinguishes two devices of one model without revealing which they are: a
/// truncated HMAC of the serial number under the agent's own key. Another agent gives the same
/// device another identifier.
package enum DeviceIdentifier {
  package static func make(serial: String, key: [UInt8]) -> String? {
    let serial = trimmed(serial)
    // Many bridges have the serial number 0000, which distinguishes nothing.
    guard Set(serial).count > 1, !key.isEmpty else { return nil }
    return SHA256.authenticationCode(of: Array(serial.utf8), key: key).prefix(8).hexadecimal
  }
}

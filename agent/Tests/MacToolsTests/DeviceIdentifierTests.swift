import Testing

@testable import MacTools

@Suite struct DeviceIdentifierTests {
  @Test("a device's id follows from its serial and the agent's key, and shows neither")
  func deviceIdentifier() {
    let first = DeviceIdentifier.make(serial: "S5GXNX0T123456 ", key: [1, 2, 3])
    #expect(first == DeviceIdentifier.make(serial: "S5GXNX0T123456", key: [1, 2, 3]))
    #expect(first != DeviceIdentifier.make(serial: "S5GXNX0T123456", key: [1, 2, 4]))
    #expect(first?.count == 16)
    #expect(DeviceIdentifier.make(serial: "  ", key: [1]) == nil)
  }
}

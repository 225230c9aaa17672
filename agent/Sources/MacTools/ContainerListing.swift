import Formats
import Foundation

/// APFS containers, their partitions and which of their volumes are encrypted, from `diskutil apfs
/// list`. Names and UUIDs of volumes are never kept.
package struct ContainerListing: Codable, Equatable, Sendable {
  package struct Container: Codable, Equatable, Sendable {
    package var reference: String
    package var physicalStores: [String] = []
    package var capacityBytes: Int?
    package var freeBytes: Int?
    package var isFusion: Bool?
    package var volumes: [Volume] = []

    package init(
      reference: String, physicalStores: [String] = [], capacityBytes: Int? = nil, freeBytes: Int? = nil,
      isFusion: Bool? = nil, volumes: [Volume] = []
    ) {
      self.reference = reference
      self.physicalStores = physicalStores
      self.capacityBytes = capacityBytes
      self.freeBytes = freeBytes
      self.isFusion = isFusion
      self.volumes = volumes
    }
  }

  package struct Volume: Codable, Equatable, Sendable {
    package var device: String
    /// For example "System", "Data", "Backup"; empty for an ordinary volume.
    package var roles: [String] = []
    package var isEncrypted: Bool?
    package var hasFileVault: Bool?
    package var isLocked: Bool?
    /// FileVault is off, but the Mac's own hardware encrypts.
    package var isEncryptedAtRest: Bool?
  }

  package var containers: [Container] = []

  package static func read(_ data: Data) -> ContainerListing? {
    guard let value = ToolValue(data) else { return read(text: String(decoding: data, as: UTF8.self)) }
    guard value["Error"]?.boolean != true, case .dictionary = value else { return nil }
    return ContainerListing(containers: value["Containers"]?.items.compactMap(container) ?? [])
  }

  private static func container(_ value: ToolValue) -> Container? {
    guard let reference = DeviceName.read(value["ContainerReference"]?.text) else { return nil }
    var container = Container(reference: reference)
    container.physicalStores = value["PhysicalStores"]?.items
      .compactMap { DeviceName.read($0["DeviceIdentifier"]?.text) } ?? []
    container.capacityBytes = value["CapacityCeiling"]?.bytes
    container.freeBytes = value["CapacityFree"]?.bytes
    container.isFusion = value["Fusion"]?.boolean
    container.volumes = value["Volumes"]?.items.compactMap(volume) ?? []
    return container
  }

  private static func volume(_ value: ToolValue) -> Volume? {
    guard let device = DeviceName.read(value["DeviceIdentifier"]?.text) else { return nil }
    return Volume(
      device: device, roles: value["Roles"]?.items.compactMap(\.text) ?? [],
      isEncrypted: value["Encryption"]?.boolean, hasFileVault: value["FileVault"]?.boolean,
      isLocked: value["Locked"]?.boolean)
  }

  package func container(holding device: String) -> Container? {
    containers.first { container in
      container.reference == device || container.volumes.contains { device.isPart(of: $0.device) }
    }
  }

  package func volume(_ device: String) -> Volume? {
    container(holding: device)?.volumes.first { device.isPart(of: $0.device) }
  }
}

extension String {
  /// Whether this device is that volume or a snapshot of it: "disk3s1s1" belongs to "disk3s1".
  fileprivate func isPart(of volume: String) -> Bool {
    self == volume || hasPrefix(volume + "s")
  }
}

extension ContainerListing {
  private static let bars: Set<Character> = ["|", "+", "-", "<", ">"]

  /// Read the human-readable tree, drawn with bars. Devices in its headings can be wrong (seen on
  /// macOS 11); those on the labelled lines are right.
  private static func read(text: String) -> ContainerListing? {
    let plain = Lines.of(text)
      .map { $0.drop { $0.isWhitespace || bars.contains($0) } }.joined(separator: "\n")
    var containers: [Container] = []
    for line in LabelledText(plain).lines {
      if line.label == "APFS Container Reference", let reference = DeviceName.read(line.value) {
        containers.append(Container(reference: reference))
      } else if var container = containers.popLast() {
        container.take(line)
        containers.append(container)
      }
    }
    return containers.isEmpty ? nil : ContainerListing(containers: containers)
  }
}

extension ContainerListing.Container {
  fileprivate mutating func take(_ line: LabelledText.Line) {
    switch line.label {
    case "APFS Physical Store Disk":
      physicalStores += DeviceName.read(line.value).map { [$0] } ?? []
    case "APFS Volume Disk (Role)":
      let words = line.value.split(separator: " ", maxSplits: 1)
      guard let device = DeviceName.read(words.first.map(String.init)) else { return }
      let role = words.count == 2 ? String(words[1].filter { !"()".contains($0) }) : ""
      let isOrdinary = role.isEmpty || role.hasPrefix("No specific role")
      volumes.append(.init(device: device, roles: isOrdinary ? [] : role.components(separatedBy: " or ")))
    case "Size (Capacity Ceiling)": capacityBytes = leadingNumber(line.value)
    case "Capacity Not Allocated": freeBytes = leadingNumber(line.value)
    case "FileVault", "Encrypted", "Locked":
      guard var volume = volumes.popLast() else { return }
      if line.label == "FileVault" {
        volume.hasFileVault = YesNo.read(line.value)
        if line.value.contains("Encrypted at rest") { volume.isEncryptedAtRest = true }
        if line.value.contains("(Locked") { volume.isLocked = true }
        if line.value.contains("(Unlocked") { volume.isLocked = false }
      } else if line.label == "Encrypted" {
        volume.isEncrypted = YesNo.read(line.value)
      } else {
        volume.isLocked = YesNo.read(line.value)
      }
      volumes.append(volume)
    default: return
    }
  }

  private func leadingNumber(_ text: String) -> Int? {
    text.split(separator: " ").first.flatMap { Int($0) }
  }
}

extension ContainerListing {
  package static let recorded = Recorded(
    shape: .fields([
      "Error": .fact,
      "Containers": .each(
        .fields([
          "ContainerReference": .device, "PhysicalStores": .each(.fields(["DeviceIdentifier": .device])), "CapacityCeiling": .fact,
          "CapacityFree": .fact, "Fusion": .fact,
          "Volumes": .each(
            .fields([
              "DeviceIdentifier": .device, "Roles": .each(.fact), "Encryption": .fact, "FileVault": .fact, "Locked": .fact,
            ])),
        ])),
    ]),
    line: { line, _, _ in
      let plain = line.drop { $0.isWhitespace || bars.contains($0) }
      guard let read = LabelledText(plain).lines.first else { return nil }
      let isDevice = ["APFS Container Reference", "APFS Physical Store Disk", "APFS Volume Disk (Role)"].contains(read.label)
      let isFact = ["Size (Capacity Ceiling)", "Capacity Not Allocated", "FileVault", "Encrypted", "Locked"].contains(read.label)
      let device = DeviceName.read(read.value.split(separator: " ").first.map(String.init))
      return isFact || (isDevice && device != nil) ? "\(read.label): \(read.value)" : nil
    })
}

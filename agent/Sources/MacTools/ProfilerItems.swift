import Formats
import Foundation

/// Items of one data type in `system_profiler` output, from `-json` (a dictionary by data type) or
/// `-xml` (a list of reports).
package enum ProfilerItems {
  /// nil if the output is unreadable or lacks this data type; empty if the Mac has no such items.
  package static func read(_ type: String, in data: Data) -> [ToolValue]? {
    guard let value = ToolValue(data) else { return nil }
    return read(type, in: value)
  }

  package static func read(_ type: String, in value: ToolValue) -> [ToolValue]? {
    if case .array(let items)? = value[type] { return items }
    for report in value.items where report["_dataType"]?.text == type {
      if case .array(let items)? = report["_items"] { return items }
    }
    return nil
  }
}

extension ProfilerItems {
  private static let types: [String: Shape] = [
    "SPHardwareDataType": HardwareProfile.recordedHardware, "SPDisplaysDataType": HardwareProfile.recordedDisplays,
    "SPThunderboltDataType": ThunderboltTree.recorded, "SPUSBHostDataType": USBTree.recorded, "SPUSBDataType": USBTree.recorded,
    "SPNVMeDataType": DriveProfile.recorded, "SPSerialATADataType": DriveProfile.recorded,
    "SPStorageDataType": VolumeProfile.recorded,
  ]

  package static let recorded = Recorded(
    shape: .either { value in
      guard value.entries.isEmpty else { return .fields { types[$0].map(Shape.each) } }
      return .each(.either { report in
        let shape = report["_dataType"]?.text.flatMap { types[$0] } ?? .nothing
        return .fields(["_dataType": .text { types[$0] == nil ? nil : $0 }, "_items": .each(shape)])
      })
    },
    line: HardwareProfile.recordedLine)
}

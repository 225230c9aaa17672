// See Darwin.swift.

public struct FilePath { public init(_ path: String) {} }

public struct FileDescriptor {
  public struct AccessMode: Sendable {
    public static let readOnly = AccessMode()
    public static let writeOnly = AccessMode()
  }
  public struct OpenOptions: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let create = OpenOptions(rawValue: 1)
  }
}

public struct FilePermissions: OptionSet, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  public static let ownerReadWrite = FilePermissions(rawValue: 0o600)
}

// See Darwin.swift.

import System

public struct ArchiveCompression: Sendable { public static let lzfse = ArchiveCompression() }

public struct ArchiveFlags: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

public class ArchiveByteStream {
  public static func fileStream(
    path: FilePath, mode: FileDescriptor.AccessMode, options: FileDescriptor.OpenOptions,
    permissions: FilePermissions
  ) -> ArchiveByteStream? { nil }

  public static func compressionStream(
    using algorithm: ArchiveCompression, writingTo stream: ArchiveByteStream,
    blockSize: Int = 1 << 20, flags: ArchiveFlags = [], threadCount: Int = 0
  ) -> ArchiveByteStream? { nil }

  public static func process(
    readingFrom input: ArchiveByteStream, writingTo output: ArchiveByteStream
  ) throws -> Int64 { 0 }

  public func close() throws {}
}

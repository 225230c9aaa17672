// Declarations of the macOS APIs that the agent uses and Linux lacks, from Apple's public
// documentation. Nothing here runs: it makes `canImport(Darwin)` true, so that the macOS branches
// are type-checked without macOS. What Linux also has comes from Glibc.

@_exported import Foundation
@_exported import Glibc

public let F_NOCACHE: Int32 = 48
public let F_FULLFSYNC: Int32 = 51
public let CLOCK_UPTIME_RAW: clockid_t = 8

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { 0 }

public func mincore(
  _ address: UnsafeRawPointer?, _ length: Int, _ marks: UnsafeMutablePointer<CChar>?
) -> Int32 { 0 }

// Called only with the module's name as prefix.
@_disfavoredOverload
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
@_disfavoredOverload
public func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { 0 }

extension ProcessInfo {
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  public var thermalState: ThermalState { .nominal }
}

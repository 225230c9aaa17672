#if !canImport(Darwin)
  import Glibc

  /// FITRIM, a macro that Swift can't import: _IOWR('X', 121, struct fstrim_range).
  private let fitrim: UInt = 0xC018_5879

  /// Trim all the file system's free space, as fstrim(8) does.
  /// - Returns: the number of bytes trimmed.
  func trimFreeSpace(_ descriptor: Int32) throws -> Int {
    // Start, length, and minimum extent to trim.
    var range: (UInt64, UInt64, UInt64) = (0, .max, 0)
    let done = withUnsafeMutablePointer(to: &range) { ioctl(descriptor, fitrim, $0) }
    guard done == 0 else { throw TransferError(call: "FITRIM", code: errno) }
    return Int(clamping: range.1)
  }
#endif

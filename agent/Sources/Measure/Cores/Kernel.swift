import CoreKernels

/// A loop that stays in a core's registers or first-level cache, and the same loop without its
/// work.
package struct Kernel: Sendable {
  package let name: String
  /// Run an even number of loops; false if the arithmetic result is wrong.
  package let run: @Sendable (Int) -> Bool
  /// Only count and branch, as often as `run` does for as many loops.
  let runEmpty: @Sendable (Int) -> Bool

  package static func named(_ name: String) throws -> Kernel {
    guard let kernel = all.first(where: { $0.name == name }) else { throw MissingKernel(name: name) }
    return kernel
  }

  /// All kernels of this platform.
  package static let all: [Kernel] = [int64, fp64, neon] + accelerated

  /// Whether the first three are the method's own assembly; otherwise they belong to another
  /// method.
  static let inAssembly = CORE_KERNELS_IN_ASSEMBLY == 1

  package static let int64 = Kernel(name: "int64", run: { loops in
    let start: Int64 = 1 << 40
    return core_int64(UInt64(loops), start) == start + Int64(loops)
  }, runEmpty: countOnly)

  package static let fp64 = Kernel(name: "fp64", run: { loops in
    let start = 0x1p40
    return core_fp64(UInt64(loops), start) == start + Double(loops)
  }, runEmpty: countOnly)

  /// Four lanes at a time: NEON if available, SSE on x86-64.
  static let neon = Kernel(name: inAssembly ? "neon" : "sse", run: { loops in
    core_neon(UInt64(loops), neonVectors) == neonProduct
  }, runEmpty: { loops in core_empty_pairs(UInt64(loops)) == 0 })

  static let countOnly: @Sendable (Int) -> Bool = { loops in core_empty(UInt64(loops)) == 0 }

  /// Integer multiples of 2^-20, so that adding and subtracting the step is always exact, with many
  /// bits set, so that the adders have work to do.
  private static let neonVectors: [Float] = [
    1_401_983, -2_850_301, 1_196_987, 1_653_869,
    262_399, 786_557, -524_413, 458_879,
    1_696_631, 1_482_911, -2_344_687, 726_817,
  ].map { $0 * 0x1p-20 }

  /// Summed as in the loop: lanes in pairs, each step rounded.
  private static let neonProduct: Float = {
    let products = (0..<4).map { (lane: Int) -> Float in
      let lanes: Float = neonVectors[lane] + neonVectors[lane + 4]
      return lanes * neonVectors[lane + 8]
    }
    let low: Float = products[0] + products[1]
    let high: Float = products[2] + products[3]
    return low + high
  }()
}

/// A wrong arithmetic result: the kernel's time would mean nothing.
struct WrongResult: Error, CustomStringConvertible, Equatable {
  let kernel: String
  var description: String { "the \(kernel) loop gave a wrong result, so its times are not reported" }
}

/// A kernel that this platform doesn't have.
struct MissingKernel: Error, CustomStringConvertible, Equatable {
  let name: String
  var description: String {
    let known = Kernel.all.map(\.name).joined(separator: ", ")
    return "there is no kernel \(name) on this system; use \(known)"
  }
}

/// A small generator whose sequence depends only on its seed, on every platform and Swift version:
/// orders and data can be reproduced from a recorded seed.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Return a uniform number in 0..<bound, without modulo bias.
  mutating func next(below bound: UInt64) -> UInt64 {
    let unbiased = UInt64.max - UInt64.max % bound
    while true {
      let candidate = next()
      if candidate < unbiased { return candidate % bound }
    }
  }
}

extension Array {
  /// The elements in an order that depends only on the generator.
  func shuffled(by generator: inout SplitMix64) -> [Element] {
    var shuffled = self
    for last in stride(from: shuffled.count - 1, to: 0, by: -1) {
      shuffled.swapAt(last, Int(generator.next(below: UInt64(last + 1))))
    }
    return shuffled
  }

  /// The elements in an order that depends only on the seed.
  func shuffled(seed: Int) -> [Element] {
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    return shuffled(by: &generator)
  }
}

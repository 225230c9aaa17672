import Testing

@testable import Measure

@Suite struct PlanTests {
  @Test("the full method has the articles' sixteen sizes, 5.33 GB a set")
  func sizes() {
    #expect(GradedFiles.full.sizes.count == 16)
    #expect(GradedFiles.full.sizes.first == 2_000_000)
    #expect(GradedFiles.full.sizes.last == 2_000_000_000)
    #expect(GradedFiles.full.bytesPerSet == 5_330_000_000)
    #expect(GradedFiles.full.defaultSets == 5)
    #expect(GradedFiles.quick.sizes == GradedFiles.full.sizes.filter { $0 <= 200_000_000 })
    #expect(GradedFiles.quick.name == "graded-files-quick")
  }

  @Test("only number and largest sizes differ between a quick run and a set of a full one")
  func quickFiles() {
    let quick = DiskPlan(method: .quick, sets: 1, seed: 7, blockSize: 1 << 20, rest: 0)
    let full = DiskPlan(method: .full, sets: 1, seed: 7, blockSize: 1 << 20, rest: 0)
    #expect(GradedFiles.full.version == 1)
    #expect(GradedFiles.quick.version == 2)
    let common = full.files.map(\.bytes).filter { $0 <= 200_000_000 }
    #expect(quick.files.map(\.bytes).sorted() == common.sorted())
    #expect(quick.blockSize == full.blockSize)
  }

  @Test("every set has every size once, and places count from 1 without a gap")
  func complete() {
    let plan = DiskPlan(method: .full, sets: 3, seed: 7, blockSize: 1 << 20, rest: 0)
    #expect(plan.files.map(\.position) == Array(1...48))
    for set in 1...3 {
      #expect(plan.files.filter { $0.set == set }.map(\.bytes).sorted() == GradedFiles.full.sizes)
    }
  }

  @Test("the same seed gives the same order, another seed another")
  func seeded() {
    let plan = { (seed: Int) in DiskPlan(method: .full, sets: 2, seed: seed, blockSize: 4096, rest: 0).files }
    #expect(plan(7) == plan(7))
    #expect(plan(7) != plan(8))
  }

  @Test("the order is shuffled over all sets, not within each")
  func acrossSets() {
    let files = DiskPlan(method: .full, sets: 5, seed: 1, blockSize: 4096, rest: 0).files
    #expect(Set(files.prefix(16).map(\.set)).count > 1)
  }

  @Test("the generator's sequence is the published one")
  func splitMix() {
    // First outputs for seed 1234567 of the reference implementation (prng.di.unimi.it).
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect((0..<1000).allSatisfy { _ in generator.next(below: 7) < 7 })
  }
}

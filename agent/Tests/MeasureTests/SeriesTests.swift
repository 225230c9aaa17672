import Base
import Testing

@testable import Document
@testable import Measure

@Suite struct SeriesTests {
  let plan = DiskPlan(method: .quick, sets: 2, seed: 7, blockSize: 1 << 20, rest: 0)

  /// Every file at 1 GB/s, with a flush of one second.
  func timings(flush: Double?) -> [FileTiming] {
    plan.files.map { FileTiming(file: $0, seconds: Double($0.bytes) / 1e9, flush: flush) }
  }

  func values(_ metric: Metric, _ series: [Series]) -> [Double] {
    series.first { $0.metric == metric }?.values ?? []
  }

  @Test("averages are a set's bytes over the sum of its file times")
  func averages() {
    var outcome = DiskOutcome()
    outcome.writes = timings(flush: 1)
    outcome.reads = timings(flush: nil).map { FileTiming(file: $0.file, seconds: $0.seconds / 2) }
    let series = DiskSeries.make(from: outcome, plan: plan)
    #expect(values(.diskWriteAverage, series) == [1e9, 1e9])
    #expect(values(.diskReadAverage, series) == [2e9, 2e9])
    // 0.53 s of transfers and 11 s of flushes.
    #expect(values(.diskWriteFlushedAverage, series) == [(0.53e9 / 11.53).rounded(), (0.53e9 / 11.53).rounded()])
  }

  @Test("a sample a file, with its place in the sequence")
  func speeds() {
    var outcome = DiskOutcome()
    outcome.writes = timings(flush: 1)
    let series = DiskSeries.make(from: outcome, plan: plan).filter { $0.metric == .diskWriteSpeed }
    #expect(series.count == 11)
    #expect(series.allSatisfy { $0.values == [1e9, 1e9] && $0.positions?.count == 2 })
    #expect(Set(series.flatMap { $0.positions ?? [] }) == Set(1...22))
  }

  @Test("a set that lacks a file has no average; nothing missing becomes zero")
  func incomplete() {
    var outcome = DiskOutcome()
    outcome.writes = timings(flush: 1).filter { $0.file.position != 22 }
    let series = DiskSeries.make(from: outcome, plan: plan)
    #expect(values(.diskWriteAverage, series).count == 1)
    #expect(!series.contains { $0.metric == .diskReadAverage || $0.metric == .diskReadSpeed })
    #expect(DiskSeries.make(from: DiskOutcome(), plan: plan).isEmpty)
  }

  @Test("without flushes there is no flushed average")
  func noFlush() {
    var outcome = DiskOutcome()
    outcome.writes = timings(flush: nil)
    let series = DiskSeries.make(from: outcome, plan: plan)
    #expect(values(.diskWriteFlushedAverage, series).isEmpty)
    #expect(values(.diskWriteAverage, series).count == 2)
  }

  @Test("medians, trimmed means and Theil-Sen shrug at outliers")
  func robust() {
    #expect(Robust.median([]) == nil)
    #expect(Robust.median([3, 1, 2]) == 2)
    #expect(Robust.median([4, 1, 2, 3]) == 2.5)
    #expect(Robust.trimmedMean([1, 2, 3, 4, 1000]) == 3)
    #expect(Robust.trimmedMean([1, 2]) == 1.5)
    var points = (1...9).map { (x: Double($0), y: 2 * Double($0) + 5) }
    points[4].y = 1000
    let line = Robust.line(through: points)
    #expect(line?.slope == 2)
    #expect(line?.intercept == 5)
    #expect(Robust.line(through: [(1, 1), (1, 2)]) == nil)
  }
}

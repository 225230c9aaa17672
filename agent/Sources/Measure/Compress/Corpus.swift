import Base
import Foundation

/// What is compressed: the same bytes on every machine, made from a seed by whole-number arithmetic.
///
/// Blocks of 1 MiB in turns of text (words of a made-up vocabulary, common ones often) and of records
/// (counters, small numbers, addresses that share their upper half, some noise). Blocks are compressed
/// independently, so that a corpus larger than its 128 MiB of different blocks may repeat them, and
/// need not be in memory whole.
package struct Corpus: Sendable {
  static let blockBytes = 1 << 20
  /// How many blocks differ.
  static let differentBlocks = 128

  package let seed: Int
  let blocks: Int

  package var bytes: Int { blocks * Self.blockBytes }

  /// The words' letters, one after the other, and where each word begins.
  private let letters: [UInt8]
  private let begins: [Int]

  package init(seed: Int, blocks: Int) {
    self.seed = seed
    self.blocks = blocks
    (letters, begins) = Self.vocabulary(SplitMix64(seed: UInt64(bitPattern: Int64(seed))))
  }

  /// Writes the block of that number into memory of a block's size.
  package func make(_ number: Int, into memory: UnsafeMutableRawBufferPointer) {
    precondition(memory.count == Self.blockBytes)
    let different = UInt64(number % Self.differentBlocks)
    let generator = SplitMix64(seed: UInt64(bitPattern: Int64(seed)) &+ (different + 1) &* 0x2545_f491_4f6c_dd1d)
    if different % 2 == 0 { makeText(generator, memory) } else { makeRecords(generator, memory) }
  }

  /// Lines of sentences.
  private func makeText(_ start: SplitMix64, _ memory: UnsafeMutableRawBufferPointer) {
    var generator = start
    var place = 0
    var column = 0
    var capital: UInt8 = 32
    letters.withUnsafeBytes { (letters: UnsafeRawBufferPointer) in
      while place < memory.count {
        let random = generator.next()
        // The product of three even draws: low ranks often, high ones seldom.
        let first = random & 0xfff, second = random >> 12 & 0xfff, third = random >> 24 & 0xfff
        let rank = Int((first * second * third) >> 24)
        let count = min(begins[rank + 1] - begins[rank], memory.count - place)
        let word = UnsafeRawBufferPointer(rebasing: letters[begins[rank]..<begins[rank] + count])
        UnsafeMutableRawBufferPointer(rebasing: memory[place..<place + count]).copyMemory(from: word)
        memory[place] -= capital
        place += count
        column += count + 1
        let ends = random >> 36 & 0xf == 0
        if ends || random >> 40 & 0xf == 0, place < memory.count {
          memory[place] = UInt8(ascii: ends ? "." : ",")
          place += 1
        }
        if place < memory.count {
          memory[place] = UInt8(ascii: column > 80 ? "\n" : " ")
          place += 1
        }
        if column > 80 { column = 0 }
        capital = ends ? 32 : 0
      }
    }
  }

  /// Records of 32 bytes.
  private func makeRecords(_ start: SplitMix64, _ memory: UnsafeMutableRawBufferPointer) {
    var generator = start
    let base = generator.next() & 0x0000_7fff_ffff_f000
    var counter = generator.next() & 0xffff
    var place = 0
    func put(_ word: UInt64) {
      memory.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < memory.count {
      let random = generator.next()
      counter += random & 3
      put(counter << 32 | random >> 2 & 0x7f)
      put(base &+ (random >> 9 & 0xffff) << 4)
      put(random >> 41 & 1)
      put(random >> 60 == 0 ? generator.next() : random >> 25 & 0xffff)
    }
  }

  /// 4,096 words of one to four syllables, the common ones short.
  private static func vocabulary(_ start: SplitMix64) -> (letters: [UInt8], begins: [Int]) {
    let consonants = Array("bcdfghklmnprstvw".utf8)
    let vowels = Array("aeiouaei".utf8)
    var generator = start
    var letters: [UInt8] = []
    var begins = [0]
    for rank in 0..<4096 {
      for _ in 0...min(3, (rank.bitWidth - rank.leadingZeroBitCount) / 4) {
        let random = Int(truncatingIfNeeded: generator.next() >> 32)
        letters.append(consonants[random & 15])
        letters.append(vowels[random >> 4 & 7])
        if random >> 7 & 3 == 0 { letters.append(consonants[random >> 9 & 15]) }
      }
      begins.append(letters.count)
    }
    return (letters, begins)
  }
}

/// The corpus's different blocks in memory, made by all cores at once.
final class CorpusMemory: @unchecked Sendable {
  private let memory: AlignedMemory
  private let different: Int

  init(_ corpus: Corpus, world: World) throws {
    different = min(corpus.blocks, Corpus.differentBlocks)
    memory = AlignedMemory(bytes: different * Corpus.blockBytes)
    let queue = BlockQueue(different)
    _ = ThreadTeam.run(ProcessInfo.processInfo.activeProcessorCount, quality: .userInteractive, world: world) {
      [self] _ in
      while !world.interrupted(), let number = queue.next() { corpus.make(number, into: writable(number)) }
    }
    if world.interrupted() { throw Interrupted() }
  }

  /// The corpus's block of that number.
  func block(_ number: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable(number)) }

  private func writable(_ number: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: memory.start + number % different * Corpus.blockBytes, count: Corpus.blockBytes)
  }
}

/// Numbers from 0 up, each given out once.
final class BlockQueue: @unchecked Sendable {
  private let lock = NSLock()
  private let count: Int
  private var given = 0

  init(_ count: Int) { self.count = count }

  func next() -> Int? {
    lock.withLock {
      guard given < count else { return nil }
      given += 1
      return given - 1
    }
  }
}

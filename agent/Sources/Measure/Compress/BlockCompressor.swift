extension BlockCompressor {
  /// Throw unless blocks survive compression and decompression.
  package static func check(_ corpus: Corpus) throws {
    let compressor = BlockCompressor()
    let memory = AlignedMemory(bytes: Corpus.blockBytes)
    let block = UnsafeMutableRawBufferPointer(start: memory.start, count: Corpus.blockBytes)
    for number in 0..<min(2, corpus.blocks) {
      corpus.make(number, into: block)
      let back = decompress(compressor.compress(UnsafeRawBufferPointer(block)))
      guard let back, back.elementsEqual(block) else { throw CompressError.wrongResult }
    }
  }
}

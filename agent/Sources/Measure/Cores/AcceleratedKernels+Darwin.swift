#if canImport(Darwin)
  import Accelerate
  import simd

  extension Kernel {
    /// Apple's own code, which may use any of the chip's units.
    static let accelerated = [simdDot, vdspMultiply, sparseMultiply, bnnsMultiply]

    /// Dot products of four lanes, like `neon`, as compiled. Both running values return to their
    /// initial values after every two loops.
    private static let simdDot = Kernel(name: "simd_dot", run: { loops in
      let there = simd_float4(1, -2, 3, -4)
      let (last, sum) = dotProducts(loops, there, there * -2, simd_float4(0.5, 1, 1.5, 2))
      return last == 5 && sum == 1
    }, runEmpty: countOnly)

    /// Not inlined, so that its loop is compiled once. The compiler may still know the values; the
    /// machine code shows that the loop stays intact.
    @inline(never)
    private static func dotProducts(
      _ loops: Int, _ first: simd_float4, _ step: simd_float4, _ factor: simd_float4
    ) -> (last: Float, sum: Float) {
      var vector = first
      var step = step
      var last: Float = 0
      var sum: Float = 1
      for _ in 0..<loops {
        last = simd_dot(vector, factor)
        sum += last
        vector += step
        step = -step
      }
      return (last, sum)
    }

    /// Two 16 by 16 matrices.
    private static let vdspMultiply = Kernel(name: "vdsp_mmul", run: { loops in
      let one = (0..<256).map { Float($0 % 7) }
      let other = (0..<256).map { Float($0 % 5) }
      var product = [Float](repeating: 0, count: 256)
      for _ in 0..<loops { vDSP_mmul(one, 1, other, 1, &product, 1, 16, 16, 16) }
      return product == matrixProduct(one, other, rows: 16, inner: 16, columns: 16)
    }, runEmpty: countOnly)

    /// A sparse 4 by 4 matrix with four entries, times a dense 4 by 2 one.
    private static let sparseMultiply = Kernel(name: "sparse_multiply", run: { loops in
      var rows: [Int32] = [0, 3, 0, 3]
      var columns: [Int32] = [0, 0, 3, 3]
      var entries: [Float] = [1, 4, 13, 16]
      let sparse = SparseConvertFromCoordinate(
        4, 4, 4, 1, SparseAttributes_t(), &rows, &columns, &entries)
      defer { SparseCleanup(sparse) }
      // Dense matrices are stored by column.
      var factor: [Float] = [10, -1, -1, 10, 100, -1, -1, 100]
      var product = [Float](repeating: 0, count: 8)
      factor.withUnsafeMutableBufferPointer { factor in
        product.withUnsafeMutableBufferPointer { product in
          guard let source = factor.baseAddress, let result = product.baseAddress else { return }
          let attributes = SparseAttributes_t()
          let dense = DenseMatrix_Float(
            rowCount: 4, columnCount: 2, columnStride: 4, attributes: attributes, data: source)
          let into = DenseMatrix_Float(
            rowCount: 4, columnCount: 2, columnStride: 4, attributes: attributes, data: result)
          for _ in 0..<loops { SparseMultiply(sparse, dense, into) }
        }
      }
      return product == [140, 0, 0, 200, 1400, 0, 0, 2000]
    }, runEmpty: countOnly)

    /// Three products of a 4 by 2 and a 2 by 2 matrix.
    private static let bnnsMultiply = Kernel(
      name: "bnns_matmul", run: batchProducts, runEmpty: countOnly)

    private static let batchProducts: @Sendable (Int) -> Bool = { loops in
      let one: [Float] = (0..<24).map { Float($0) }
      let other: [Float] = (1...12).map { Float($0) }
      var first = BNNSNDArrayDescriptor.allocate(
        initializingFrom: one, shape: .tensor3DFirstMajor(3, 4, 2))
      var second = BNNSNDArrayDescriptor.allocate(
        initializingFrom: other, shape: .tensor3DFirstMajor(3, 2, 2))
      var product = BNNSNDArrayDescriptor.allocateUninitialized(
        scalarType: Float.self, shape: .tensor3DFirstMajor(3, 4, 2))
      defer {
        first.deallocate()
        second.deallocate()
        product.deallocate()
      }
      let size = BNNSMatMulWorkspaceSize(false, false, 1, &first, &second, &product, nil)
      let workspace = UnsafeMutableRawPointer.allocate(byteCount: max(16, size), alignment: 16)
      defer { workspace.deallocate() }
      var status: Int32 = 0
      for _ in 0..<loops {
        status |= BNNSMatMul(false, false, 1, &first, &second, &product, workspace, nil)
      }
      var expected: [Float] = []
      for part in 0..<3 {
        let left = Array(one[part * 8..<part * 8 + 8])
        let right = Array(other[part * 4..<part * 4 + 4])
        expected += matrixProduct(left, right, rows: 4, inner: 2, columns: 2)
      }
      return status == 0 && product.makeArray(of: Float.self) == expected
    }

    /// Multiply matrices stored by row; exact for small integers.
    private static func matrixProduct(
      _ one: [Float], _ other: [Float], rows: Int, inner: Int, columns: Int
    ) -> [Float] {
      var product = [Float](repeating: 0, count: rows * columns)
      for row in 0..<rows {
        for column in 0..<columns {
          for place in 0..<inner {
            product[row * columns + column] += one[row * inner + place] * other[place * columns + column]
          }
        }
      }
      return product
    }
  }
#endif

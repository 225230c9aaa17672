// See Darwin.swift. The parts of vDSP, Sparse and BNNS that the kernels use.

public typealias vDSP_Stride = Int
public typealias vDSP_Length = UInt

public func vDSP_mmul(
  _ a: UnsafePointer<Float>, _ strideA: vDSP_Stride, _ b: UnsafePointer<Float>,
  _ strideB: vDSP_Stride, _ c: UnsafeMutablePointer<Float>, _ strideC: vDSP_Stride,
  _ m: vDSP_Length, _ n: vDSP_Length, _ p: vDSP_Length
) {}

public struct SparseAttributes_t { public init() {} }
public struct SparseMatrix_Float {}

public struct DenseMatrix_Float {
  public init(
    rowCount: Int32, columnCount: Int32, columnStride: Int32, attributes: SparseAttributes_t,
    data: UnsafeMutablePointer<Float>
  ) {}
}

public func SparseConvertFromCoordinate(
  _ rowCount: Int32, _ columnCount: Int32, _ blockCount: Int, _ blockSize: UInt8,
  _ attributes: SparseAttributes_t, _ rows: UnsafePointer<Int32>,
  _ columns: UnsafePointer<Int32>, _ data: UnsafePointer<Float>
) -> SparseMatrix_Float { SparseMatrix_Float() }

public func SparseMultiply(
  _ a: SparseMatrix_Float, _ x: DenseMatrix_Float, _ y: DenseMatrix_Float
) {}
public func SparseCleanup(_ matrix: SparseMatrix_Float) {}

public protocol BNNSScalar {}
extension Float: BNNSScalar {}

public struct BNNSFilterParameters {}

public enum BNNS {
  public enum Shape { case tensor3DFirstMajor(_ size0: Int, _ size1: Int, _ size2: Int) }
}

public struct BNNSNDArrayDescriptor {
  public static func allocate<C: Collection>(
    initializingFrom values: C, shape: BNNS.Shape, batchSize: Int = 1
  ) -> BNNSNDArrayDescriptor where C.Element: BNNSScalar { BNNSNDArrayDescriptor() }

  public static func allocateUninitialized(
    scalarType: any BNNSScalar.Type, shape: BNNS.Shape, batchSize: Int = 1
  ) -> BNNSNDArrayDescriptor { BNNSNDArrayDescriptor() }

  public func makeArray<T: BNNSScalar>(of type: T.Type) -> [T]? { nil }
  public func deallocate() {}
}

public func BNNSMatMul(
  _ transA: Bool, _ transB: Bool, _ alpha: Float, _ inputA: UnsafePointer<BNNSNDArrayDescriptor>,
  _ inputB: UnsafePointer<BNNSNDArrayDescriptor>, _ output: UnsafePointer<BNNSNDArrayDescriptor>,
  _ workspace: UnsafeMutableRawPointer?, _ filterParameters: UnsafePointer<BNNSFilterParameters>?
) -> Int32 { 0 }

public func BNNSMatMulWorkspaceSize(
  _ transA: Bool, _ transB: Bool, _ alpha: Float, _ inputA: UnsafePointer<BNNSNDArrayDescriptor>,
  _ inputB: UnsafePointer<BNNSNDArrayDescriptor>, _ output: UnsafePointer<BNNSNDArrayDescriptor>,
  _ filterParameters: UnsafePointer<BNNSFilterParameters>?
) -> Int { 0 }

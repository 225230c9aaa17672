// See Darwin.swift. Apple's simd types are the standard library's.

public typealias simd_float4 = SIMD4<Float>

public func simd_dot(_ one: simd_float4, _ other: simd_float4) -> Float { 0 }

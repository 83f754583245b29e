// Constants whose values the element types of the chip do not have are errors, in every pipeline; doubles that are
// rounded within the precision of f32 are warnings.
// RUN: ttmlir-opt --ttir-element-type-normalization --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file --verify-diagnostics %s

func.func @integers() -> tensor<4xi64> {
  // expected-error@+1 {{'ttir.constant' op would lose 1 of 4 values: 5000000000 would become 2147483647, since i64 is kept as si32; change the values or their type, or allow it with the option 'allow-lossy-constants'}}
  %0 = "ttir.constant"() <{value = dense<[5000000000, 1, 2, 3]> : tensor<4xi64>}> : () -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

func.func @unsigned() -> tensor<2xui64> {
  // expected-error@+1 {{would lose 1 of 1 values: 4294967296 would become 4294967295, since ui64 is kept as ui32}}
  %0 = "ttir.constant"() <{value = dense<4294967296> : tensor<2xui64>}> : () -> tensor<2xui64>
  return %0 : tensor<2xui64>
}

// -----

func.func @overflow() -> tensor<2xf64> {
  // expected-error@+1 {{would lose 1 of 2 values: 1e300 would become inf, since f64 is kept as f32}}
  %0 = "ttir.constant"() <{value = dense<[0.1, 1.0e300]> : tensor<2xf64>}> : () -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @underflow() -> tensor<2xf64> {
  // expected-error@+1 {{would lose 1 of 2 values: 1e-300 would become 0.0, since f64 is kept as f32}}
  %0 = "ttir.constant"() <{value = dense<[1.0, 1.0e-300]> : tensor<2xf64>}> : () -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @half() -> tensor<2xf16> {
  // expected-error@+1 {{would lose 1 of 2 values: 1.0009765625 would become 1.0, since f16 is kept as bf16}}
  %0 = "ttir.constant"() <{value = dense<[1.0, 1.001]> : tensor<2xf16>}> : () -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

func.func @fraction() -> tensor<3xi32> {
  // expected-error@+1 {{'ttir.full' op would lose 1 of 1 values: 2.5 would become 2, since its tensor has elements of i32}}
  %0 = "ttir.full"() <{fill_value = 2.5 : f32, shape = array<i32: 3>}> : () -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @infinity() -> tensor<3xbf16> {
  // expected-error@+1 {{'ttir.full' op would lose 1 of 1 values: 3.4028234663852886e38 would become inf, since its tensor has elements of bf16}}
  %0 = "ttir.full"() <{fill_value = 0x7F7FFFFF : f32, shape = array<i32: 3>}> : () -> tensor<3xbf16>
  return %0 : tensor<3xbf16>
}

// -----

func.func @negative() -> tensor<3xi8> {
  // expected-error@+1 {{'ttir.full' op the constant -3 is negative, but its type becomes the unsigned one of 8 bits; write the value with that type or use 32 bits}}
  %0 = "ttir.full"() <{fill_value = -3 : i32, shape = array<i32: 3>}> : () -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// -----

// Constants that the types represent are unchanged; a constant that f32 rounds is a warning.
func.func @kept() -> (tensor<2xi64>, tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xbf16>, tensor<2xf32>) {
  %0 = "ttir.constant"() <{value = dense<[-2147483648, 2147483647]> : tensor<2xi64>}> : () -> tensor<2xi64>
  // expected-warning@+1 {{'ttir.constant' rounds 1 of 2 values: 0.1 becomes 0.10000000149011612, since f64 is kept as f32}}
  %1 = "ttir.constant"() <{value = dense<[0.1, 0.5]> : tensor<2xf64>}> : () -> tensor<2xf64>
  %2 = "ttir.constant"() <{value = dense<[0xFC00, 1.5]> : tensor<2xf16>}> : () -> tensor<2xf16>
  %3 = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 2>}> : () -> tensor<2xi32>
  %4 = "ttir.full"() <{fill_value = 0.1 : f32, shape = array<i32: 2>}> : () -> tensor<2xbf16>
  %5 = "ttir.full"() <{fill_value = 0x7F800000 : f32, shape = array<i32: 2>}> : () -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi64>, tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xbf16>, tensor<2xf32>
}

// Operations on constants become the constants that the reference computes.
// RUN: ttmlir-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @elements
// CHECK-DAG: %[[SUM:.*]] = "ttir.constant"() <{value = dense<[1.200000e+00, 3.000000e-01]> : tensor<2xf32>}>
// CHECK-DAG: %[[BF16:.*]] = "ttir.constant"() <{value = dense<[1.000000e+00, 1.000980e-01]> : tensor<2xbf16>}>
// CHECK-DAG: %[[INTEGERS:.*]] = "ttir.constant"() <{value = dense<-2147483648> : tensor<2xsi32>}>
// CHECK-NOT: ttir.add
// CHECK: return %[[SUM]], %[[BF16]], %[[INTEGERS]]
func.func @elements() -> (tensor<2xf32>, tensor<2xbf16>, tensor<2xsi32>) {
  %0 = "ttir.constant"() <{value = dense<[1.0, 0.1]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "ttir.full"() <{fill_value = 0.2 : f32, shape = array<i32: 1>}> : () -> tensor<1xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %3 = "ttir.typecast"(%0) : (tensor<2xf32>) -> tensor<2xbf16>
  %4 = "ttir.constant"() <{value = dense<2147483647> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  %5 = "ttir.ones"() <{shape = array<i32: 2>}> : () -> tensor<2xsi32>
  %6 = "ttir.add"(%4, %5) : (tensor<2xsi32>, tensor<2xsi32>) -> tensor<2xsi32>
  return %2, %3, %6 : tensor<2xf32>, tensor<2xbf16>, tensor<2xsi32>
}

// One folds into the next; the older spelling has the output as an operand.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[ROOT:.*]] = "ttir.constant"() <{value = dense<[{{\[}}1.000000e+00], [3.000000e+00]]> : tensor<2x1xf32>}>
// CHECK-NEXT: return %[[ROOT]]
func.func @chain() -> tensor<2x1xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 0.0], [4.0, 5.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %2 = ttir.empty() : tensor<2x1xf32>
  %3 = "ttir.sqrt"(%1, %2) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %3 : tensor<2x1xf32>
}

// Repeated values are folded whatever their shape; a product of them is not, for it sums.
// CHECK-LABEL: func.func @repeated
// CHECK-DAG: %[[MOVED:.*]] = "ttir.constant"() <{value = dense<1.500000e+00> : tensor<512x4096xbf16>}>
// CHECK-DAG: %[[MATMUL:.*]] = "ttir.matmul"
// CHECK: return %[[MOVED]], %[[MATMUL]]
func.func @repeated() -> (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) {
  %0 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 4096, 512>}> : () -> tensor<4096x512xbf16>
  %1 = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 512>}> : () -> tensor<512xbf16>
  %2 = "ttir.multiply"(%0, %1) : (tensor<4096x512xbf16>, tensor<512xbf16>) -> tensor<4096x512xbf16>
  %3 = "ttir.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<4096x512xbf16>) -> tensor<512x4096xbf16>
  %4 = "ttir.matmul"(%0, %3) : (tensor<4096x512xbf16>, tensor<512x4096xbf16>) -> tensor<4096x4096xbf16>
  return %3, %4 : tensor<512x4096xbf16>, tensor<4096x4096xbf16>
}

// Results that are not finite are not folded; neither are composites and other types.
// CHECK-LABEL: func.func @stays
// CHECK-DAG: "ttir.log"
// CHECK-DAG: "ttir.softmax"
// CHECK-DAG: "ttir.add"
// CHECK-DAG: "ttir.typecast"
// CHECK: return
func.func @stays(%a: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf64>, tensor<1xsi32>) {
  %0 = "ttir.full"() <{fill_value = -1.0 : f32, shape = array<i32: 1>}> : () -> tensor<1xf32>
  %1 = "ttir.log"(%0) : (tensor<1xf32>) -> tensor<1xf32>
  %2 = "ttir.softmax"(%0) <{dimension = 0 : si32}> : (tensor<1xf32>) -> tensor<1xf32>
  %3 = "ttir.constant"() <{value = dense<1.0> : tensor<1xf64>}> : () -> tensor<1xf64>
  %4 = "ttir.add"(%3, %3) : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %5 = "ttir.full"() <{fill_value = 1.0e+10 : f32, shape = array<i32: 1>}> : () -> tensor<1xf32>
  %6 = "ttir.typecast"(%5) : (tensor<1xf32>) -> tensor<1xsi32>
  return %1, %2, %4, %6 : tensor<1xf32>, tensor<1xf32>, tensor<1xf64>, tensor<1xsi32>
}

// CHECK-LABEL: func.func @moves
// CHECK-NEXT: %[[RESHAPED:.*]] = "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}>
// CHECK-NEXT: %[[THREES:.*]] = "ttir.constant"() <{value = dense<3.000000e+00> : tensor<6x1024xbf16>}>
// CHECK-NEXT: %[[JOINED:.*]] = "ttir.constant"() <{value = dense<{{\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00, 3.000000e+00], [3.000000e+00, 4.000000e+00, 3.000000e+00, 3.000000e+00]]> : tensor<2x4xf32>}>
// CHECK-NEXT: return %[[RESHAPED]], %[[THREES]], %[[JOINED]]
func.func @moves() -> (tensor<4xf32>, tensor<6x1024xbf16>, tensor<2x4xf32>) {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32]}> : (tensor<2x2xf32>) -> tensor<4xf32>
  %2 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 2, 1024>}> : () -> tensor<2x1024xbf16>
  %3 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 4, 1024>}> : () -> tensor<4x1024xbf16>
  %4 = "ttir.concat"(%2, %3) <{dim = 0 : si32}> : (tensor<2x1024xbf16>, tensor<4x1024xbf16>) -> tensor<6x1024xbf16>
  %5 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 2, 2>}> : () -> tensor<2x2xf32>
  %6 = "ttir.concat"(%0, %5) <{dim = 1 : si32}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %1, %4, %6 : tensor<4xf32>, tensor<6x1024xbf16>, tensor<2x4xf32>
}

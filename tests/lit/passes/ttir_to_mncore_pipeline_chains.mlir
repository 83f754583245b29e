// A chain of functions is cut where the loop of one kernel would become too long to schedule.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s | grep -o 'kernel = @[a-z_0-9]*' | FileCheck %s

func.func @long(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: kernel = @long_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_gelu_0
  // CHECK-NEXT: kernel = @long_gelu_gelu_1
  %0 = "ttir.gelu"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "ttir.gelu"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = "ttir.gelu"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "ttir.gelu"(%2) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "ttir.gelu"(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = "ttir.gelu"(%4) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = "ttir.gelu"(%5) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = "ttir.gelu"(%6) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = "ttir.gelu"(%7) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %9 = "ttir.gelu"(%8) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %10 = "ttir.gelu"(%9) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %11 = "ttir.gelu"(%10) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %12 = "ttir.gelu"(%11) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %13 = "ttir.gelu"(%12) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %14 = "ttir.gelu"(%13) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %15 = "ttir.gelu"(%14) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %15 : tensor<8x8xf32>
}

// RUN: ttmlir-opt --ttir-to-mncore-pipeline --verify-diagnostics %s

func.func @numbers(%a: tensor<32x32xsi32>, %b: tensor<32x32xsi32>) -> tensor<32x32xsi32> {
  // expected-error @+1 {{has no kernel for si32; kernels compute with bf16 and f32}}
  %0 = "ttir.add"(%a, %b) : (tensor<32x32xsi32>, tensor<32x32xsi32>) -> tensor<32x32xsi32>
  return %0 : tensor<32x32xsi32>
}

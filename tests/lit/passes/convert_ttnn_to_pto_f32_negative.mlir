// RUN: ttmlir-opt --ttir-to-mncore-pipeline --verify-diagnostics %s

func.func @numbers(%a: tensor<32x32xui16>, %b: tensor<32x32xui16>) -> tensor<32x32xui16> {
  // expected-error @+1 {{has no kernel for ui16, which represents all 16-bit integers; kernels compute with bf16, f32 and si32}}
  %0 = "ttir.add"(%a, %b) : (tensor<32x32xui16>, tensor<32x32xui16>) -> tensor<32x32xui16>
  return %0 : tensor<32x32xui16>
}

// What does not fit, or is not compiled yet.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file --verify-diagnostics %s

func.func @large(%a: tensor<100000x8192xbf16>, %b: tensor<8192x100000xbf16>) -> tensor<100000x100000xbf16> {
  // expected-error @+1 {{tensor 2 (1x100000x100000xbf16) cannot be laid out in DRAM:}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<100000x8192xbf16>, tensor<8192x100000xbf16>) -> tensor<100000x100000xbf16>
  return %0 : tensor<100000x100000xbf16>
}

// -----

func.func @integers(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>) -> tensor<32x32xi32> {
  // expected-error @+1 {{'ttnn.matmul' op has no kernel for si32: the matrix unit multiplies floats; cast them to f32 or bf16 with ttir.typecast}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

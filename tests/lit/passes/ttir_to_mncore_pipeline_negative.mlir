// Diagnostics of programs that do not fit, or that have no code yet.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file --verify-diagnostics %s

func.func @large(%a: tensor<100000x8192xbf16>, %b: tensor<8192x100000xbf16>) -> tensor<100000x100000xbf16> {
  // expected-error @+1 {{tensor 2 (1x100000x100000xbf16) cannot be laid out in DRAM:}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<100000x8192xbf16>, tensor<8192x100000xbf16>) -> tensor<100000x100000xbf16>
  return %0 : tensor<100000x100000xbf16>
}

// -----

func.func @integers(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>) -> tensor<32x32xi32> {
  // expected-error @+1 {{'ttnn.matmul' op has no kernel for si32, which represents 32- and 64-bit integers: the matrix unit multiplies floats; cast them to f32 or bf16 with ttir.typecast}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

// -----

// Padding and replicas count.
func.func @padding(%a: tensor<4x16777216xbf16>, %b: tensor<16777216x4xbf16>) -> tensor<4x4xbf16> {
  // expected-error-re @+1 {{tensor 0 (1x4x16777216xbf16) cannot be laid out in DRAM: x:() {{.*}} takes 8589934592 bytes with its padding and replicas, and the host lays out 4294967296 at most: split the tensor}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<4x16777216xbf16>, tensor<16777216x4xbf16>) -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

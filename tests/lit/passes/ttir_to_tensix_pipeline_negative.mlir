// RUN: ttmlir-opt --ttir-to-tensix-pipeline --split-input-file --verify-diagnostics %s

// What the vector unit of Tensix has no code for is computed by another device.

func.func @transposition(%a: tensor<32x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error @+1 {{'pto.ttrans' op is not lowered to Tensix; compile with --ttir-to-mncore-pipeline, or run the kernels over tiles with ttrt run --device interpreter}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  return %0 : tensor<64x32xbf16>
}

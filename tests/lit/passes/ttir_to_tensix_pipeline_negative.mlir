// RUN: ttmlir-opt --ttir-to-tensix-pipeline --split-input-file --verify-diagnostics %s

// What the vector unit of Tensix has no code for is computed by another device.

func.func @reduction(%a: tensor<32x64xbf16>) -> tensor<32x1xbf16> {
  // expected-error @+1 {{'pto.trowsum' op makes !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>, which is not lowered to Tensix; tiles of multiples of 32x32 elements are, row by row and valid everywhere}}
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x64xbf16>) -> tensor<32x1xbf16>
  return %0 : tensor<32x1xbf16>
}

// -----

func.func @transposition(%a: tensor<32x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error @+1 {{'pto.ttrans' op is not lowered to Tensix; compile with --ttir-to-mncore-pipeline, or run the kernels over tiles with ttrt run --device interpreter}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  return %0 : tensor<64x32xbf16>
}

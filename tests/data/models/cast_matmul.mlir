// A layer on activations of f32, which become bf16 before it; its result becomes f32 again, unrounded if all is one kernel.
func.func @cast_matmul(%x: tensor<33x65xf32>, %w: tensor<65x97xbf16>, %b: tensor<97xbf16>) -> tensor<33x97xf32> {
  %0 = "ttir.typecast"(%x) : (tensor<33x65xf32>) -> tensor<33x65xbf16>
  %1 = "ttir.linear"(%0, %w, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.relu"(%1) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %3 = "ttir.typecast"(%2) : (tensor<33x97xbf16>) -> tensor<33x97xf32>
  return %3 : tensor<33x97xf32>
}

// Two layers with their activations before them, and the input added to the second.
func.func @preactivation_block(%x: tensor<33x65xbf16>, %w1: tensor<65x97xbf16>, %b1: tensor<97xbf16>, %w2: tensor<97x65xbf16>) -> tensor<33x65xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<33x65xbf16>) -> tensor<33x65xbf16>
  %1 = "ttir.linear"(%0, %w1, %b1) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.relu"(%1) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %3 = "ttir.matmul"(%2, %w2) : (tensor<33x97xbf16>, tensor<97x65xbf16>) -> tensor<33x65xbf16>
  %4 = "ttir.add"(%x, %3) : (tensor<33x65xbf16>, tensor<33x65xbf16>) -> tensor<33x65xbf16>
  return %4 : tensor<33x65xbf16>
}

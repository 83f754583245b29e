// Two layers, and the input added to the second.
func.func @residual_block(%x: tensor<33x65xbf16>, %w1: tensor<65x97xbf16>, %b1: tensor<97xbf16>, %w2: tensor<97x65xbf16>, %b2: tensor<65xbf16>) -> tensor<33x65xbf16> {
  %0 = "ttir.linear"(%x, %w1, %b1) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.linear"(%1, %w2, %b2) : (tensor<33x97xbf16>, tensor<97x65xbf16>, tensor<65xbf16>) -> tensor<33x65xbf16>
  %3 = "ttir.add"(%x, %2) : (tensor<33x65xbf16>, tensor<33x65xbf16>) -> tensor<33x65xbf16>
  %4 = "ttir.relu"(%3) : (tensor<33x65xbf16>) -> tensor<33x65xbf16>
  return %4 : tensor<33x65xbf16>
}

// Two layers, the first one with a gate.
func.func @gated_mlp(%x: tensor<33x65xbf16>, %gate: tensor<65x97xbf16>, %up: tensor<65x97xbf16>, %down: tensor<97x65xbf16>) -> tensor<33x65xbf16> {
  %0 = "ttir.matmul"(%x, %gate) : (tensor<33x65xbf16>, tensor<65x97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.matmul"(%x, %up) : (tensor<33x65xbf16>, tensor<65x97xbf16>) -> tensor<33x97xbf16>
  %3 = "ttir.multiply"(%1, %2) : (tensor<33x97xbf16>, tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %4 = "ttir.matmul"(%3, %down) : (tensor<33x97xbf16>, tensor<97x65xbf16>) -> tensor<33x65xbf16>
  return %4 : tensor<33x65xbf16>
}

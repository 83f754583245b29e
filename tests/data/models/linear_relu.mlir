// A layer.
func.func @linear_relu(%x: tensor<33x65xbf16>, %w: tensor<65x97xbf16>, %b: tensor<97xbf16>) -> tensor<33x97xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  return %1 : tensor<33x97xbf16>
}

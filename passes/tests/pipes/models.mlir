// Models with shapes that are not whole tiles, whose kernels work on both sides.
func.func @gated(%x: tensor<33x40xbf16>, %gate: tensor<40x35xbf16>, %up: tensor<40x35xbf16>, %down: tensor<35x40xbf16>) -> tensor<33x40xbf16> {
  %0 = "ttir.matmul"(%x, %gate) : (tensor<33x40xbf16>, tensor<40x35xbf16>) -> tensor<33x35xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x35xbf16>) -> tensor<33x35xbf16>
  %2 = "ttir.matmul"(%x, %up) : (tensor<33x40xbf16>, tensor<40x35xbf16>) -> tensor<33x35xbf16>
  %3 = "ttir.multiply"(%1, %2) : (tensor<33x35xbf16>, tensor<33x35xbf16>) -> tensor<33x35xbf16>
  %4 = "ttir.matmul"(%3, %down) : (tensor<33x35xbf16>, tensor<35x40xbf16>) -> tensor<33x40xbf16>
  return %4 : tensor<33x40xbf16>
}
func.func @residual(%x: tensor<70x64xbf16>, %w: tensor<64x64xbf16>, %b: tensor<64xbf16>, %scale: tensor<1x64xbf16>) -> tensor<70x64xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<70x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>) -> tensor<70x64xbf16>
  %1 = "ttir.multiply"(%0, %scale) : (tensor<70x64xbf16>, tensor<1x64xbf16>) -> tensor<70x64xbf16>
  %2 = "ttir.add"(%1, %x) : (tensor<70x64xbf16>, tensor<70x64xbf16>) -> tensor<70x64xbf16>
  return %2 : tensor<70x64xbf16>
}
func.func @factors(%x: tensor<64x96xbf16>, %w: tensor<96x32xbf16>, %v: tensor<96x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %1 = "ttir.multiply"(%w, %v) : (tensor<96x32xbf16>, tensor<96x32xbf16>) -> tensor<96x32xbf16>
  %2 = "ttir.matmul"(%0, %1) : (tensor<64x96xbf16>, tensor<96x32xbf16>) -> tensor<64x32xbf16>
  %3 = "ttir.neg"(%2) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %3 : tensor<64x32xbf16>
}

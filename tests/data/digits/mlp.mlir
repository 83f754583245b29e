// Reads handwritten digits: 8x8 pixels, 64 hidden units, a score for each of the ten digits.
// Weights and data lie beside this file; ORIGIN.md says where they come from.
func.func @forward(%images: tensor<1797x64xbf16>,
                   %w1: tensor<64x64xbf16>, %b1: tensor<1x64xbf16>,
                   %w2: tensor<64x10xbf16>, %b2: tensor<1x10xbf16>) -> tensor<1797x10xbf16> {
  %0 = "ttir.linear"(%images, %w1, %b1) : (tensor<1797x64xbf16>, tensor<64x64xbf16>, tensor<1x64xbf16>) -> tensor<1797x64xbf16>
  %1 = "ttir.relu"(%0) : (tensor<1797x64xbf16>) -> tensor<1797x64xbf16>
  %2 = "ttir.linear"(%1, %w2, %b2) : (tensor<1797x64xbf16>, tensor<64x10xbf16>, tensor<1x10xbf16>) -> tensor<1797x10xbf16>
  return %2 : tensor<1797x10xbf16>
}

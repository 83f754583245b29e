// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<64x96xbf16>, %c: tensor<96xbf16>) -> tensor<64x96xbf16> {
  // expected-error@+1 {{'ttnn.linear' op Input A[-1](128) and B[-2](64) must have matching inner dimensions}}
  %r = "ttnn.linear"(%a, %b, %c) : (tensor<64x128xbf16>, tensor<64x96xbf16>, tensor<96xbf16>) -> tensor<64x96xbf16>
  return %r : tensor<64x96xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>, %c: tensor<bf16>) -> tensor<64x96xbf16> {
  // expected-error@+1 {{'ttnn.linear' op Bias must be at least a 1D tensor}}
  %r = "ttnn.linear"(%a, %b, %c) : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<bf16>) -> tensor<64x96xbf16>
  return %r : tensor<64x96xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>, %c: tensor<2x64xbf16>) -> tensor<64x96xbf16> {
  // expected-error@+1 {{'ttnn.linear' op Bias shape(2,64) is not broadcast compatible with the matmul output shape(64,96)}}
  %r = "ttnn.linear"(%a, %b, %c) : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<2x64xbf16>) -> tensor<64x96xbf16>
  return %r : tensor<64x96xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>, %c: tensor<2x64x96xbf16>) -> tensor<64x96xbf16> {
  // expected-error@+1 {{'ttnn.linear' op Output shape rank(2) must match the expected output shape rank(3)}}
  %r = "ttnn.linear"(%a, %b, %c) : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<2x64x96xbf16>) -> tensor<64x96xbf16>
  return %r : tensor<64x96xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttnn.linear' op Output shape dimension[1](64) doesn't match the expected output shape dimension[1](96)}}
  %r = "ttnn.linear"(%a, %b) : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

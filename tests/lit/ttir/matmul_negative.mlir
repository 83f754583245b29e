// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// The eight errors of matmul, in the order in which they are looked for.

func.func @f(%a: tensor<bf16>, %b: tensor<64x64xbf16>) -> tensor<64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Input A must be at least a 1D tensor}}
  %r = "ttir.matmul"(%a, %b) : (tensor<bf16>, tensor<64x64xbf16>) -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}

// -----

func.func @f(%a: tensor<64xbf16>, %b: tensor<bf16>) -> tensor<64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Input B must be at least a 1D tensor}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64xbf16>, tensor<bf16>) -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<64x96xbf16>) -> tensor<64x96xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Input A[-1](128) and B[-2](64) must have matching inner dimensions}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64x128xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %r : tensor<64x96xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<128x128xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Input A[-1](64) and B[-2](128) must have matching inner dimensions}}
  %r = "ttir.matmul"(%a, %b) <{transpose_a = true}> : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<128x128xbf16>
  return %r : tensor<128x128xbf16>
}

// -----

func.func @f(%a: tensor<128xbf16>, %b: tensor<64x128xbf16>) -> tensor<64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Input A[-1](128) and B[-2](64) must have matching inner dimensions}}
  %r = "ttir.matmul"(%a, %b) <{transpose_a = true}> : (tensor<128xbf16>, tensor<64x128xbf16>) -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}

// -----

func.func @f(%a: tensor<2x7x64x128xbf16>, %b: tensor<7x1x128x64xbf16>) -> tensor<7x7x64x64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Batch dimensions of input A(2,7) and B(7,1) are not broadcast compatible}}
  %r = "ttir.matmul"(%a, %b) : (tensor<2x7x64x128xbf16>, tensor<7x1x128x64xbf16>) -> tensor<7x7x64x64xbf16>
  return %r : tensor<7x7x64x64xbf16>
}

// -----

func.func @f(%a: tensor<64xbf16>, %b: tensor<64xbf16>) -> tensor<bf16> {
  // expected-error@+1 {{'ttir.matmul' op Scalar output is not supported, output must be at least a 1D tensor}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<bf16>
  return %r : tensor<bf16>
}

// -----

func.func @f(%a: tensor<64xbf16>, %b: tensor<64xbf16>) -> tensor<2xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Scalar output must be a 1D tensor of size 1}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

func.func @f(%a: tensor<64xbf16>, %b: tensor<64xbf16>) -> tensor<1x1xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Scalar output must be a 1D tensor of size 1}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x1xbf16>
  return %r : tensor<1x1xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Output shape rank(1) must match the expected output shape rank(2)}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}

// -----

func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x128xbf16> {
  // expected-error@+1 {{'ttir.matmul' op Output shape dimension[1](128) doesn't match the expected output shape dimension[1](64)}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<64x128xbf16>
  return %r : tensor<64x128xbf16>
}

// -----

func.func @f(%a: tensor<64x?xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op dynamic shapes are not supported: tensor<64x?xbf16>; give every dimension a size}}
  %r = "ttir.matmul"(%a, %b) : (tensor<64x?xbf16>, tensor<128x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

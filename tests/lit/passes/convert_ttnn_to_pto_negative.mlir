// RUN: ttmlir-opt --convert-ttnn-to-pto --split-input-file --verify-diagnostics %s

func.func @transposed(%a: tensor<64x32xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
  // expected-error @below {{'ttnn.matmul' op with a transposed factor has no kernel; run ttnn-transpose-factors first}}
  %0 = "ttnn.matmul"(%a, %b) <{transpose_a = true}> : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

func.func @activation(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  // expected-error @below {{'ttnn.linear' op with an activation has no kernel yet; apply it in an operation of its own}}
  %0 = "ttnn.linear"(%a, %a) <{activation = "relu"}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

func.func @vector(%a: tensor<8x32xbf16>, %b: tensor<32xbf16>) -> tensor<8xbf16> {
  // expected-error @below {{'ttnn.matmul' op by a vector has no kernel yet; give the right factor two dimensions}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<8x32xbf16>, tensor<32xbf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// -----

func.func @f32_bias(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.linear' op has no kernel for a bias of f32, which the matrix unit would cut to TF32; run ttnn-decompose-linear=f32-bias first}}
  %0 = "ttnn.linear"(%a, %a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @bf16_bias(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.linear' op has no kernel for factors of f32 with a bias of bf16; cast the bias with ttir.typecast}}
  %0 = "ttnn.linear"(%a, %a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @f32_by_bf16(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.matmul' op has no kernel for f32 by bf16; cast one factor with ttir.typecast}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @outer(%a: tensor<4x8x8xbf16>) -> tensor<1x8x8xbf16> {
  // expected-error @below {{'ttnn.sum' op reduces dimension 0 of 3, but kernels for this target reduce the last two: run ttnn-decompose-reductions first}}
  %0 = "ttnn.sum"(%a) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x8x8xbf16>) -> tensor<1x8x8xbf16>
  return %0 : tensor<1x8x8xbf16>
}

// -----

func.func @columns(%a: tensor<2x4x8xbf16>) -> tensor<2x4xbf16> {
  // expected-error @below {{'ttnn.max' op reduces 2x4x1 to 2x4, which has no kernel: run ttnn-decompose-reductions first}}
  %0 = "ttnn.max"(%a) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x4x8xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

func.func @mixed(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.add' op has no kernel for tensors of f32 and of bf16; cast them to one type with ttir.typecast}}
  %0 = "ttnn.add"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @mixed_truths(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.gt' op has no kernel for tensors of f32 and of bf16; cast them to one type with ttir.typecast}}
  %0 = "ttnn.gt"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @mixed_choices(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.where' op has no kernel for tensors of f32 and of bf16; cast them to one type with ttir.typecast}}
  %0 = "ttnn.where"(%b, %a, %b) : (tensor<8x8xbf16>, tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @integers(%a: tensor<8x8xui16>) -> tensor<8x8xui16> {
  // expected-error @below {{'ttnn.subtract' op has no kernel for ui16, which represents all 16-bit integers; kernels compute with bf16, f32 and si32}}
  %0 = "ttnn.subtract"(%a, %a) : (tensor<8x8xui16>, tensor<8x8xui16>) -> tensor<8x8xui16>
  return %0 : tensor<8x8xui16>
}

// -----

func.func @no_system(%a: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  // expected-error @below {{'ttnn.neg' op is not in a module with a ttcore.system_desc; run ttcore-register-device first}}
  %0 = "ttnn.neg"(%a) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %0 : tensor<8x8xbf16>
}

// -----

func.func @integers(%a: tensor<32x32xui16>) -> tensor<32x32xbf16> {
  // expected-error @below {{'ttnn.typecast' op has no kernel from ui16 to bf16; those between bf16, f32 and si32 have one}}
  %0 = "ttnn.typecast"(%a) : (tensor<32x32xui16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<dram>>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @rows(%a: tensor<32x32xf32, #rows>) -> tensor<32x32xbf16, #tiles> {
  // expected-error-re @below {{'ttnn.typecast' op has no kernel for 'tensor<32x32xf32, {{.*}}>'; kernels read tiles from DRAM: convert it first}}
  %0 = "ttnn.typecast"(%a) : (tensor<32x32xf32, #rows>) -> tensor<32x32xbf16, #tiles>
  return %0 : tensor<32x32xbf16, #tiles>
}

// -----

func.func @integer_factors(%a: tensor<8x8xsi32>) -> tensor<8x8xsi32> {
  // expected-error @below {{'ttnn.matmul' op has no kernel for si32, which represents 32- and 64-bit integers: the matrix unit multiplies floats; cast them to bf16 with ttir.typecast}}
  %0 = "ttnn.matmul"(%a, %a) : (tensor<8x8xsi32>, tensor<8x8xsi32>) -> tensor<8x8xsi32>
  return %0 : tensor<8x8xsi32>
}

// -----

func.func @vector_by_matrices(%a: tensor<32xbf16>, %b: tensor<2x32x8xbf16>) -> tensor<2x8xbf16> {
  // expected-error @below {{'ttnn.matmul' op of a vector by several matrices has no kernel for this target; give the left factor two dimensions}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<32xbf16>, tensor<2x32x8xbf16>) -> tensor<2x8xbf16>
  return %0 : tensor<2x8xbf16>
}

// -----

func.func @no_elements(%a: tensor<0x64xbf16>) -> tensor<0x64xbf16> {
  // expected-error @below {{'ttnn.add' op has no kernel for 'tensor<0x64xbf16>': it has no elements}}
  %0 = "ttnn.add"(%a, %a) : (tensor<0x64xbf16>, tensor<0x64xbf16>) -> tensor<0x64xbf16>
  return %0 : tensor<0x64xbf16>
}

// -----

func.func @huge(%a: tensor<4294967296x4294967296xbf16>) -> tensor<4294967296x4294967296xbf16> {
  // expected-error @below {{'ttnn.relu' op has no kernel for 'tensor<4294967296x4294967296xbf16>': it is larger than the memory of any chip}}
  %0 = "ttnn.relu"(%a) : (tensor<4294967296x4294967296xbf16>) -> tensor<4294967296x4294967296xbf16>
  return %0 : tensor<4294967296x4294967296xbf16>
}

// -----

func.func @not_lowered(%a: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  // expected-error @below {{'ttir.relu' op is not an operation of TTNN; run convert-ttir-to-ttnn first}}
  %0 = "ttir.relu"(%a) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %0 : tensor<8x8xbf16>
}

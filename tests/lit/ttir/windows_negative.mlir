// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op input must be a 4D tensor}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op output must be a 4D tensor}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<4x4x4xf32>
  return %r : tensor<4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op Expected integer or pair of integers, got tuple of size 3 for kernel attribute}}
  %r = "ttir.max_pool2d"(%a) <{kernel = array<i32: 2, 2, 2>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op Expected integer, pair, or tuple of size 4, but got tuple of size 3 for padding attribute}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 2, 2, 2>, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op kernel size attribute values must be > 0}}
  %r = "ttir.max_pool2d"(%a) <{kernel = array<i32: 0, 2>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op stride attribute values must be > 0}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 0 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op dilation attribute values must be > 0}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = -1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op padding attribute values must be >= 0}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = -1 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op effective kernel size (9, 5) cannot be greater than the padded input size per channel (8, 8)}}
  %r = "ttir.max_pool2d"(%a) <{kernel = array<i32: 5, 3>, stride = 2 : i32, dilation = 2 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<2x4x4x4xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op batch size from the input tensor (1) must match the first dimension of the output tensor (2)}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<2x4x4x4xf32>
  return %r : tensor<2x4x4x4xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x5xf32> {
  // expected-error@+1 {{'ttir.max_pool2d' op number of output channels from the output tensor (5) must match the number of input channels (4)}}
  %r = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x5xf32>
  return %r : tensor<1x4x4x5xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x5x4xf32> {
  // expected-error@+1 {{'ttir.avg_pool2d' op output tensor height and width dimension (4, 5) do not match the expected dimensions (4, 4)}}
  %r = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x5x4xf32>
  return %r : tensor<1x4x5x4xf32>
}

// -----

func.func @f(%a: tensor<8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op input must be a 4D tensor}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op weight must be a 4D tensor}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op bias must be a 4D tensor}}
  %r = "ttir.conv2d"(%a, %w, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op output must be a 4D tensor}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<6x6x6xf32>
  return %r : tensor<6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Expected integer or pair of integers, got tuple of size 3 for stride}}
  %r = "ttir.conv2d"(%a, %w) <{stride = array<i32: 1, 1, 1>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Stride attribute values must be > 0.}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 0 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Dilation attribute values must be > 0.}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Padding attribute values must be >= 0.}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = array<i32: 0, 0, -1, 0>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Groups attribute value must be > 0.}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The number of input channels from the input tensor (4) is not divisible by the number of groups (3).}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The number of output channels from the weight tensor (6) is not divisible by the number of groups (4).}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 4 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The number of input channels per group (4) must match the number of input channels in the weight tensor (4).}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<1x1x1x5xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The number of output channels from the weight tensor (6) must match the number of output channels in the bias tensor (5).}}
  %r = "ttir.conv2d"(%a, %w, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x5xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The effective kernel size (9, 3) cannot be greater than the padded input size per channel (8, 8).}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = array<i32: 4, 1>, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op Batch size from the input tensor (1) must match the first dimension of the output tensor (2)}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return %r : tensor<2x6x6x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The number of output channels from the output tensor (7) must match the number of output channels in the weight tensor (6). }}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32>
  return %r : tensor<1x6x6x7xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x7x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op The output tensor height and width dimension (6, 7) do not match the expected dimensions (6, 6).}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x6xf32>
  return %r : tensor<1x6x7x6xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+1 {{'ttir.conv2d' op dimensions of batch, height, width and channels (0, 1, 2, 1) must be a permutation of (0, 1, 2, 3)}}
  %r = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, channel_dim = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}

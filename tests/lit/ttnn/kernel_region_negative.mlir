// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttnn.kernel_region' op expected block arguments of the input types (tensor<64x64xbf16>), got (tensor<64x32xbf16>)}}
  %0 = "ttnn.kernel_region"(%a) <{kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x32xbf16>):
    "ttnn.yield"() : () -> ()
  }) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttnn.kernel_region"(%a) <{kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x64xbf16>):
    // expected-error@+1 {{'ttnn.yield' op expected values of the result types (tensor<64x64xbf16>), got ()}}
    "ttnn.yield"() : () -> ()
  }) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttnn.kernel_region' op expected its body to end in 'ttnn.yield'}}
  %0 = "ttnn.kernel_region"(%a) <{kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x64xbf16>):
    %1 = "ttnn.relu"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  }) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = "ttnn.kernel_region"(%a) <{kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x64xbf16>):
    // expected-error@+1 {{'ttnn.relu' op using value defined outside the region}}
    %1 = "ttnn.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
    "ttnn.yield"(%1) : (tensor<64x64xbf16>) -> ()
  }) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) {
  // expected-error@+1 {{'ttnn.yield' op expects parent op 'ttnn.kernel_region'}}
  "ttnn.yield"() : () -> ()
}

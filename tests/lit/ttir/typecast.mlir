// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --canonicalize %s | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @casts
// CHECK: "ttir.typecast"(%arg0) <{conservative_folding = false}> : (tensor<64x96xf32>) -> tensor<64x96xbf16>
// CHECK: "ttir.typecast"(%{{.*}}) <{conservative_folding = true}> : (tensor<64x96xbf16>) -> tensor<64x96xsi32>
func.func @casts(%a: tensor<64x96xf32>) -> tensor<64x96xsi32> {
  %0 = "ttir.typecast"(%a) : (tensor<64x96xf32>) -> tensor<64x96xbf16>
  %1 = "ttir.typecast"(%0) <{conservative_folding = true}> : (tensor<64x96xbf16>) -> tensor<64x96xsi32>
  return %1 : tensor<64x96xsi32>
}

// The older spelling has the output as an operand.
// CHECK-LABEL: func.func @output
// CHECK: "ttir.typecast"(%arg0, %{{.*}}) <{{.*}}> : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xbf16>
func.func @output(%a: tensor<8xf32>) -> tensor<8xbf16> {
  %0 = ttir.empty() : tensor<8xbf16>
  %1 = "ttir.typecast"(%a, %0) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// FOLD-LABEL: func.func @to_itself
// FOLD-NEXT: return %arg0, %arg1
func.func @to_itself(%a: tensor<8xf32>, %b: tensor<8xsi32>) -> (tensor<8xf32>, tensor<8xsi32>) {
  %0 = "ttir.typecast"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = ttir.empty() : tensor<8xsi32>
  %2 = "ttir.typecast"(%b, %1) : (tensor<8xsi32>, tensor<8xsi32>) -> tensor<8xsi32>
  return %0, %2 : tensor<8xf32>, tensor<8xsi32>
}

// f32 has every bf16, f64 every f32.
// FOLD-LABEL: func.func @there_and_back
// FOLD-NEXT: return %arg0, %arg1
func.func @there_and_back(%a: tensor<8xbf16>, %b: tensor<8xf32>) -> (tensor<8xbf16>, tensor<8xf32>) {
  %0 = "ttir.typecast"(%a) : (tensor<8xbf16>) -> tensor<8xf32>
  %1 = "ttir.typecast"(%0) : (tensor<8xf32>) -> tensor<8xbf16>
  %2 = "ttir.typecast"(%b) : (tensor<8xf32>) -> tensor<8xf64>
  %3 = "ttir.typecast"(%2) : (tensor<8xf64>) -> tensor<8xf32>
  return %1, %3 : tensor<8xbf16>, tensor<8xf32>
}

// Casts that round are kept, and so are those whose final type differs.
// FOLD-LABEL: func.func @rounds
// FOLD: "ttir.typecast"(%arg0) {{.*}} -> tensor<8xbf16>
// FOLD: "ttir.typecast"({{.*}} -> tensor<8xf32>
// FOLD: "ttir.typecast"(%arg1) {{.*}} -> tensor<8xbf16>
// FOLD: "ttir.typecast"({{.*}} -> tensor<8xf16>
// FOLD: "ttir.typecast"(%arg2) {{.*}} -> tensor<8xf32>
// FOLD: "ttir.typecast"({{.*}} -> tensor<8xf16>
func.func @rounds(%a: tensor<8xf32>, %b: tensor<8xf16>, %c: tensor<8xbf16>) -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf16>) {
  %0 = "ttir.typecast"(%a) : (tensor<8xf32>) -> tensor<8xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<8xbf16>) -> tensor<8xf32>
  %2 = "ttir.typecast"(%b) : (tensor<8xf16>) -> tensor<8xbf16>
  %3 = "ttir.typecast"(%2) : (tensor<8xbf16>) -> tensor<8xf16>
  %4 = "ttir.typecast"(%c) : (tensor<8xbf16>) -> tensor<8xf32>
  %5 = "ttir.typecast"(%4) : (tensor<8xf32>) -> tensor<8xf16>
  return %1, %3, %5 : tensor<8xf32>, tensor<8xf16>, tensor<8xf16>
}

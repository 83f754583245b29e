// The precision of products: the default for both kinds of factors, the options, and the attribute of a product, which overrides the options.
//
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s | FileCheck %s --check-prefixes=BF16-PSEUDO,F32-PSEUDO
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=f32-matmul=single %s | FileCheck %s --check-prefixes=BF16-PSEUDO,F32-SINGLE
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=precision=half %s | FileCheck %s --check-prefixes=BF16-HALF,F32-HALF
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=precision=single %s | FileCheck %s --check-prefixes=BF16-SINGLE,F32-SINGLE
// RUN: ttmlir-opt --ttir-to-mncore-pipeline="precision=double f32-matmul=single" %s | FileCheck %s --check-prefixes=BF16-DOUBLE,F32-DOUBLE

// BF16-PSEUDO: mncore.kernel @bf16_matmul_0_mncore
// BF16-PSEUDO: mncore.mau "gm{{fma|mul}}"
// BF16-HALF: mncore.kernel @bf16_matmul_0_mncore
// BF16-HALF: mncore.mau "hm{{fma|mul}}"
// BF16-SINGLE: mncore.kernel @bf16_matmul_0_mncore
// BF16-SINGLE: mncore.mau "fmfma"
// BF16-DOUBLE: mncore.kernel @bf16_matmul_0_mncore
// BF16-DOUBLE: mncore.mau "dmfmau"
func.func @bf16(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<64x96xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64x96xbf16>
  return %0 : tensor<64x96xbf16>
}

// F32-PSEUDO: mncore.kernel @f32_matmul_0_mncore
// F32-PSEUDO: mncore.mau "gm{{fma|mul}}"
// F32-HALF: mncore.kernel @f32_matmul_0_mncore
// F32-HALF: mncore.mau "hm{{fma|mul}}"
// F32-SINGLE: mncore.kernel @f32_matmul_0_mncore
// F32-SINGLE: mncore.mau "fmfma"
// F32-DOUBLE: mncore.kernel @f32_matmul_0_mncore
// F32-DOUBLE: mncore.mau "dmfmau"
func.func @f32(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) -> tensor<64x96xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x128xf32>, tensor<128x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}

// Factors of f64 are kept as f32, and auto is double.
// BF16-PSEUDO: mncore.kernel @f64_matmul_0_mncore
// BF16-PSEUDO: mncore.mau "dmfmau"
// BF16-HALF: mncore.kernel @f64_matmul_0_mncore
// BF16-HALF: mncore.mau "hm{{fma|mul}}"
// BF16-PSEUDO: mncore.kernel @f64_matmul_1_mncore
// BF16-PSEUDO: mncore.mau "gm{{fma|mul}}"
func.func @f64(%a: tensor<64x128xf64>, %b: tensor<128x96xf64>, %c: tensor<96x64xf64>) -> tensor<64x64xf64> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x128xf64>, tensor<128x96xf64>) -> tensor<64x96xf64>
  %1 = "ttir.matmul"(%0, %c) {mncore.precision = "pseudo"} : (tensor<64x96xf64>, tensor<96x64xf64>) -> tensor<64x64xf64>
  return %1 : tensor<64x64xf64>
}

// BF16-PSEUDO: mncore.kernel @own_linear_0_mncore
// BF16-PSEUDO: mncore.mau "dmfmau"
// BF16-HALF: mncore.kernel @own_linear_0_mncore
// BF16-HALF: mncore.mau "dmfmau"
// BF16-DOUBLE: mncore.kernel @own_linear_1_mncore
// BF16-DOUBLE: mncore.mau "fmfma"
func.func @own(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %c: tensor<1x96xf32>, %d: tensor<96x64xf32>, %e: tensor<1x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.linear"(%a, %b, %c) {mncore.precision = "double"} : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<1x96xf32>) -> tensor<64x96xf32>
  %1 = "ttir.linear"(%0, %d, %e) {mncore.precision = "auto"} : (tensor<64x96xf32>, tensor<96x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

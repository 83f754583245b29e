// A constant NaN marks errors, such as an index that is out of range: MN-Core 2 has no NaN, so the runtime selects it.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt check %t.ttnn --device mncore
// RUN: ttrt run %t.ttnn --device mncore --program result --init arange | FileCheck %s --check-prefix=RESULT
// RUN: ttrt run %t.ttnn --device mncore --program operand --init zeros --golden
// RUN: not ttrt run %t.ttnn --device mncore --program operand --init arange 2>&1 | FileCheck %s --check-prefix=OPERAND
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | FileCheck %s --check-prefix=TENSIX

// CHECK: "ttnn.kernel_region"({{.*}}kernel = @result_lt_0,
// CHECK: "ttnn.where"({{.*}}, %arg0, {{.*}})
// TENSIX: pto.func @result_lt_where_0
// RESULT: output 0: 4 f32: [0, 1, NaN, NaN]
func.func @result(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = "ttir.full"() <{shape = array<i32: 4>, fill_value = 2.0 : f32}> : () -> tensor<4xf32>
  %nan = "ttir.full"() <{shape = array<i32: 4>, fill_value = 0x7FC00000 : f32}> : () -> tensor<4xf32>
  %0 = "ttir.lt"(%x, %two) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = "ttir.where"(%0, %x, %nan) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// OPERAND: kernel 'operand_abs_1' is given tensor {{[0-9]+}}, whose element 2, row-major from 0 on, is NaN: the chip has no NaN and would take it for an infinity
func.func @operand(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %two = "ttir.full"() <{shape = array<i32: 4>, fill_value = 2.0 : f32}> : () -> tensor<4xbf16>
  %nan = "ttir.full"() <{shape = array<i32: 1>, fill_value = 0x7FC00000 : f32}> : () -> tensor<1xbf16>
  %0 = "ttir.lt"(%x, %two) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %1 = "ttir.where"(%0, %x, %nan) : (tensor<4xi1>, tensor<4xbf16>, tensor<1xbf16>) -> tensor<4xbf16>
  %2 = "ttir.abs"(%1) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %2 : tensor<4xbf16>
}

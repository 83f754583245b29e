// RUN: not ttmlir-opt --ttir-element-type-normalization --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op Unsupported type. The elements of 'tensor<2xcomplex<f32>>' have no counterpart on the chip; use bf16, f32, or integers of 1, 8, 16, 32 or 64 bits
func.func @argument(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  return %a : tensor<2xcomplex<f32>>
}

// -----

// CHECK: error: 'ttir.empty' op Unsupported type. The elements of 'tensor<2xi7>'
func.func @result() {
  %0 = ttir.empty() : tensor<2xi7>
  return
}

// -----

// CHECK: error: 'ttir.constant' op the constant -3 is negative, but its type becomes the unsigned one of 8 bits; write the value with that type or use 32 bits
func.func @negative() -> tensor<2xi8> {
  %0 = "ttir.constant"() <{value = dense<[1, -3]> : tensor<2xi8>}> : () -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

// CHECK: error: 'ttir.constant' op refers to the resource 'blob', which the input does not hold; add it to 'dialect_resources', or write dense<...>
func.func @resource() -> tensor<2xf64> {
  %0 = "ttir.constant"() <{value = dense_resource<blob> : tensor<2xf64>}> : () -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// CHECK: error: 'ttir.constant' op lost its values when it was printed; print it without --mlir-elide-elementsattrs-if-larger
func.func @elided() -> tensor<2xf32> {
  %0 = "ttir.constant"() <{value = dense_resource<__elided__> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: error: 'ttir.constant' op refers to the resource 'short' of 4 bytes, which do not match 'tensor<2xf32>'
func.func @short() -> tensor<2xf32> {
  %0 = "ttir.constant"() <{value = dense_resource<short> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

// CHECK: error: 'ttir.typecast' op does not support casts to element type 'i1', which is represented by bf16; compare with 0 by 'ttir.ne', or cast to bf16 or to an integer of 8, 16 or 32 bits
func.func @boolean(%a: tensor<2xf32>) -> tensor<2xi1> {
  %0 = "ttir.typecast"(%a) : (tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f16>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'func.func' op has 'tensor<8x8xf16, #ttnn.ttnn_layout<{{.*}}', whose layout fixes an element type that normalization changes; normalize before assigning layouts
func.func @has_layouts(%a: tensor<8x8xf16, #layout>) -> tensor<8x8xf16, #layout> {
  return %a : tensor<8x8xf16, #layout>
}

// -----

// CHECK: error: 'ttir.bitwise_or' op does not support element type 'ui8', which 'i8' becomes on the chip; cast to 'i32' first
func.func @bits_of_bytes(%a: tensor<32xi8>) -> tensor<32xi8> {
  %0 = "ttir.bitwise_or"(%a, %a) : (tensor<32xi8>, tensor<32xi8>) -> tensor<32xi8>
  return %0 : tensor<32xi8>
}

// A constant in a resource of the file is the same as one that is written out.
// RUN: sed '/dense_resource/d' %s | ttmlir-opt --ttir-to-tensix-pipeline | ttmlir-translate --ttnn-to-flatbuffer -o %t.written.ttnn
// RUN: sed '/dense</d' %s | ttmlir-opt --ttir-to-tensix-pipeline | ttmlir-translate --ttnn-to-flatbuffer -o %t.resource.ttnn
// RUN: ttrt run %t.written.ttnn -o %t.written.npy
// RUN: ttrt run %t.resource.ttnn -o %t.resource.npy
// RUN: cmp %t.written.npy %t.resource.npy
// RUN: ttrt run --device reference %t.resource.ttnn | FileCheck %s
// RUN: sed '/dense</d' %s | ttmlir-opt --ttir-to-mncore-pipeline | ttmlir-translate --ttnn-to-flatbuffer -o %t.mncore.ttnn
// RUN: ttrt run --device mncore %t.mncore.ttnn

// CHECK: output 0: 1x4 f32: [2, 4, 6, 8]
func.func @forward() -> tensor<1x4xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
  %0 = "ttir.constant"() <{value = dense_resource<weights> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
  %1 = "ttir.add"(%0, %0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}

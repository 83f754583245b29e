// A block of more tiles than half of Dst has gives what smaller ones give, bit for bit: of any extents, with a bias and relu, of bf16 and f32, under any
// schedule, on both chips. By itself it is chosen where the unpackers have most to do.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="block=1x1" %s -o %t.small.out
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.small.out -o %t.small.ttnn
// RUN: ttrt run %t.small.ttnn --seed 3 -o %t.small.bf16.npy -o %t.small.f32.npy --golden
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="block=2x4" %s -o %t.all.out
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.all.out -o %t.all.ttnn
// RUN: FileCheck %s --input-file=%t.all.out
// RUN: ttrt run %t.all.ttnn --seed 3 -o %t.bf16.npy -o %t.f32.npy --padding-canaries
// RUN: cmp %t.small.bf16.npy %t.bf16.npy
// RUN: cmp %t.small.f32.npy %t.f32.npy
// RUN: ttrt run %t.all.ttnn --seed 3 --workers 1 --schedule-seed 5 --order-seed 7 -o %t.bf16.npy -o %t.f32.npy
// RUN: cmp %t.small.bf16.npy %t.bf16.npy
// RUN: cmp %t.small.f32.npy %t.f32.npy
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="block=8x1 mock-system-desc-arch=blackhole" %s -o %t.blackhole.out
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.out -o %t.blackhole.ttnn
// RUN: ttrt run %t.blackhole.ttnn --seed 3 --workers 2 -o %t.bf16.npy -o %t.f32.npy
// RUN: cmp %t.small.bf16.npy %t.bf16.npy
// RUN: cmp %t.small.f32.npy %t.f32.npy

// CHECK: tensix.program @both_linear_relu_0_tensix
// CHECK: tensix.zeroacc  (clear_mode 3)
// CHECK: tensix.seminit  (max_value 1, sem_sel 2)
// CHECK: tensix.program @both_matmul_1_tensix
// CHECK: tensix.zeroacc  (clear_mode 3)
func.func @both(%a: tensor<300x70xbf16>, %b: tensor<70x200xbf16>, %bias: tensor<200xbf16>, %c: tensor<300x70xf32>, %d: tensor<70x200xf32>)
    -> (tensor<300x200xbf16>, tensor<300x200xf32>) {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<300x70xbf16>, tensor<70x200xbf16>, tensor<200xbf16>) -> tensor<300x200xbf16>
  %1 = "ttir.relu"(%0) : (tensor<300x200xbf16>) -> tensor<300x200xbf16>
  %2 = "ttir.matmul"(%c, %d) : (tensor<300x70xf32>, tensor<70x200xf32>) -> tensor<300x200xf32>
  return %1, %2 : tensor<300x200xbf16>, tensor<300x200xf32>
}

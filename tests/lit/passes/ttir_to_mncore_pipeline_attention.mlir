// Which operations of an attention MN-Core 2 joins to one kernel.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=mock-system-desc-arch=mncore2 --convert-ttnn-to-pto=target=mncore %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=mock-system-desc-arch=mncore2 --convert-ttnn-to-pto="target=mncore fusion=all" %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s 2>/dev/null | FileCheck %s --check-prefix=KERNEL

// Numbers that fill a tensor are arguments of the kernel's operations, but it does not load them.
// CHECK-LABEL: pto.func @numbers_matmul_divide_where_max_subtract_exp_sum_divide_matmul_0(
// CHECK: pto.tfill 5.5
// CHECK: pto.tfill -1.0000000150474662E+30
// KERNEL: mncore.kernel @numbers_matmul_divide_where_max_subtract_exp_sum_divide_matmul_0_mncore
// KERNEL-SAME: inputs 4 tensors [0 : {{.*}}, 1 : {{.*}}, 3 : {{.*}}, 5 : {{.*}}, 6 :
func.func @numbers(%q: tensor<3x40x16xf32>, %k: tensor<3x16x50xf32>, %mask: tensor<40x50xf32>, %v: tensor<3x50x8xf32>) -> tensor<3x40x8xf32> {
  %root = "ttir.full"() <{shape = array<i32: 3, 40, 50>, fill_value = 5.5 : f32}> : () -> tensor<3x40x50xf32>
  %least = "ttir.full"() <{shape = array<i32: 3, 40, 50>, fill_value = -1.0e30 : f32}> : () -> tensor<3x40x50xf32>
  %0 = "ttir.matmul"(%q, %k) : (tensor<3x40x16xf32>, tensor<3x16x50xf32>) -> tensor<3x40x50xf32>
  %1 = "ttir.div"(%0, %root) : (tensor<3x40x50xf32>, tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  %2 = "ttir.where"(%mask, %1, %least) : (tensor<40x50xf32>, tensor<3x40x50xf32>, tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  %3 = "ttir.softmax"(%2) <{dimension = 2 : si32}> : (tensor<3x40x50xf32>) -> tensor<3x40x50xf32>
  %4 = "ttir.matmul"(%3, %v) : (tensor<3x40x50xf32>, tensor<3x50x8xf32>) -> tensor<3x40x8xf32>
  return %4 : tensor<3x40x8xf32>
}

// With few rows, kernels of their own distribute the columns.
// CHECK-LABEL: pto.func @few_rows_matmul_0
// CHECK: pto.func @few_rows_matmul_
func.func @few_rows(%q: tensor<2x16xf32>, %k: tensor<16x50xf32>, %v: tensor<50x8xf32>) -> tensor<2x8xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<2x16xf32>, tensor<16x50xf32>) -> tensor<2x50xf32>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<2x50xf32>) -> tensor<2x50xf32>
  %2 = "ttir.matmul"(%1, %v) : (tensor<2x50xf32>, tensor<50x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// A right factor that is computed in the kernel.
// CHECK-LABEL: pto.func @right_factor_matmul_max_subtract_exp_sum_divide_matmul_
// ALL-LABEL: pto.func @right_factor_neg_matmul_0
// ALL: pto.func @right_factor_matmul_
func.func @right_factor(%q: tensor<40x16xf32>, %k: tensor<16x50xf32>, %v: tensor<50x8xf32>) -> tensor<40x8xf32> {
  %0 = "ttir.neg"(%k) : (tensor<16x50xf32>) -> tensor<16x50xf32>
  %1 = "ttir.matmul"(%q, %0) : (tensor<40x16xf32>, tensor<16x50xf32>) -> tensor<40x50xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<40x50xf32>) -> tensor<40x50xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<40x50xf32>, tensor<50x8xf32>) -> tensor<40x8xf32>
  return %3 : tensor<40x8xf32>
}

// A stage that reads many tensors.
// CHECK-LABEL: pto.func @many_tensors_matmul_add_add_add_0
// CHECK: pto.func @many_tensors_add_add_add_add_add_1
// CHECK: pto.func @many_tensors_matmul_
func.func @many_tensors(%q: tensor<40x16xf32>, %k: tensor<16x50xf32>, %v: tensor<50x8xf32>, %a: tensor<40x50xf32>, %b: tensor<40x50xf32>, %c: tensor<40x50xf32>, %d: tensor<40x50xf32>, %e: tensor<40x50xf32>, %f: tensor<40x50xf32>, %g: tensor<40x50xf32>, %h: tensor<40x50xf32>) -> tensor<40x8xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<40x16xf32>, tensor<16x50xf32>) -> tensor<40x50xf32>
  %1 = "ttir.add"(%0, %a) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %2 = "ttir.add"(%1, %b) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %3 = "ttir.add"(%2, %c) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %4 = "ttir.add"(%3, %d) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %5 = "ttir.add"(%4, %e) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %6 = "ttir.add"(%5, %f) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %7 = "ttir.add"(%6, %g) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %8 = "ttir.add"(%7, %h) : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
  %9 = "ttir.softmax"(%8) <{dimension = 1 : si32}> : (tensor<40x50xf32>) -> tensor<40x50xf32>
  %10 = "ttir.matmul"(%9, %v) : (tensor<40x50xf32>, tensor<50x8xf32>) -> tensor<40x8xf32>
  return %10 : tensor<40x8xf32>
}

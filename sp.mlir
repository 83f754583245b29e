func.func @s() { %0 = "ttir.constant"() <{value = !ttcore.tile<9223372036854775807x9223372036854775807, bf16>}> : () -> tensor<1x2xbf16>
 return }

use super::*;

#[track_caller]
fn check(text: &str, expect: &str) {
    let layout: Layout = text.parse().expect(text);
    assert_eq!(layout.judge_notation(), expect, "{text}");
}

#[test]
fn layouts_of_public_test_cases() {
    check(
        "r:(b:8,a:4*2,c:2,g:4) k:(w:2,p:4,a:2*1) @LM0+0, rep(m)",
        "((8_L2B:1, 4:2, 8_L1B:1), (2:1, 4_PE:1, 2_W:1); B@[MAB])@LM0",
    );
    check(
        "r:(a:64,g:4) k:(w:2,a:8) @DRAM+0",
        "((4_L2B:2, 64:8), (8:1, 2_W:1))@DRAM",
    );
    check(
        "i:(a:16) k:(w:2,p:4,m:2,b:8,m:8) @LM0+0, rep(g,c)",
        "((16:1), (8_MAB:2, 8_L1B:1, 2_MAB:1, 4_PE:1, 2_W:1); B@[L2B])@LM0",
    );
}

#[test]
fn replicas_sums_and_padding() {
    check(
        "i[1000]:(a:256,c:2,g:2) @L2BM+64, rep(g:2*2)",
        "((4_L2B:1, 256:1); B@[2_L2B:4])@L2BM+64",
    );
    check(
        "i[40]:(h:4,a:10) @L1BM+0, rep(g,c), sum(b)",
        "((10:1, 4_W:1); B@[L2B]; S@[L1B])@L1BM",
    );
    check("i:(a:4) @PDM+0, at(g=2)", "((4:1))@PDM");
    check(
        "i:(a:4*2) @DRAM+0, rep(g,a:2*1)",
        "((4:1); B@[L2B,2:1])@DRAM"
            .replace("(4:1)", "(4:2)")
            .as_str(),
    );
}

use std::fs;

use super::*;

#[test]
fn every_model_is_shown() {
    let text = fs::read_to_string(root().join(DEMO)).expect("the demo is a file");
    for model in Model::value_variants() {
        let name = model.name();
        assert!(text.contains(&format!("\"{name}\": show_{name}")), "{name}");
    }
}

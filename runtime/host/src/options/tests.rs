use super::*;

#[test]
fn options_of_one_name_are_one() {
    let all = SharedOption::all();
    for (index, one) in all.iter().enumerate() {
        let same = all[..index]
            .iter()
            .find(|other| other.option.name == one.option.name);
        assert!(same.is_none(), "{one:?}");
        for device in &one.devices {
            let mut options = device.options.iter();
            let own = options.find(|own| own.name == one.option.name);
            let own = own.expect("the device takes it");
            let kinds = [own, &one.option].map(|option| format!("{:?}", option.kind));
            assert_eq!(kinds[0], kinds[1], "{} of {}", own.name, device.name);
        }
    }
    for device in ALL {
        let of_device = all.iter().filter(|one| one.is_taken_by(device));
        let of_device: Vec<_> = of_device.map(|one| one.option.name).collect();
        let own: Vec<_> = device.options.iter().map(|option| option.name).collect();
        assert_eq!(of_device, own, "{}", device.name);
    }
}

#[test]
fn values_are_found_by_their_option() {
    let mut options = Options::default();
    assert_eq!(options.set(&THREADS, OptionValue::Number(3)), Ok(()));
    for value in [
        OptionValue::Number(0),
        OptionValue::Flag,
        OptionValue::Choice(1),
    ] {
        let error = options.set(&THREADS, value).expect_err("it is a count");
        let text = format!("option '--threads' has no value {value:?}");
        assert_eq!(error.to_string(), text);
    }
    assert_eq!(options.number(&THREADS), Some(3));
    assert_eq!(options.choice(&THREADS), None);
    assert!(options.is_set(&THREADS) && !options.is_set(&LIMIT_STEPS));
}

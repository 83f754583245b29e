use super::*;

#[test]
fn numbers_are_in_range_and_repeat_for_a_seed() {
    let (mut one, mut other) = (Rng::new(5), Rng::new(5));
    for _ in 0..1000 {
        let number = one.below(7);
        assert!(number < 7);
        assert_eq!(number, other.below(7));
    }
    assert!(one.percent(100) && !one.percent(0));
    assert_eq!(one.weighted(&[(0, 'a'), (3, 'b')]), 'b');
}

#[test]
fn a_deck_draws_every_item_before_it_repeats_one() {
    let mut rng = Rng::new(1);
    let mut deck = Deck::new(vec![1, 2, 3, 4]);
    for _ in 0..10 {
        let mut drawn: Vec<i32> = (0..4).filter_map(|_| deck.draw(&mut rng)).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, [1, 2, 3, 4]);
    }
    assert_eq!(Deck::<i32>::new(Vec::new()).draw(&mut rng), None);
}

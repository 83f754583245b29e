use super::*;

fn run(words: &[u32], weight: u64) -> Run<'static> {
    Run {
        words: words.to_vec(),
        ops: Vec::new(),
        weight,
    }
}

#[test]
fn sets_that_save_most_are_chosen() {
    let long: Vec<u32> = (0..40).collect();
    for (runs, expect) in [
        // Nothing is repeated.
        (vec![run(&[1, 2, 3], 1)], vec![]),
        // A loop repeats what is in it.
        (vec![run(&[1, 2, 3], 16)], vec![vec![1, 2, 3]]),
        // Recording costs more than it saves.
        (vec![run(&[1, 2], 3)], vec![]),
        (vec![run(&[1, 2], 4)], vec![vec![1, 2]]),
        // A part of what is recorded serves elsewhere.
        (
            vec![run(&[1, 2, 3, 4], 16), run(&[9, 2, 3, 9], 2)],
            vec![vec![1, 2, 3, 4]],
        ),
        // A sequence that does not fit is recorded in part.
        (vec![run(&long, 16)], vec![long[..32].to_vec()]),
        // Twice the same within a run.
        (
            vec![run(&[5, 6, 7, 0, 5, 6, 7], 8)],
            vec![vec![5, 6, 7, 0, 5, 6, 7]],
        ),
    ] {
        let words: Vec<_> = runs.iter().map(|run| run.words.clone()).collect();
        assert_eq!(choose(&runs), expect, "{words:?}");
    }
}

#[test]
fn covers_give_the_words() {
    let windows: [&[u32]; 2] = [&[1, 2, 3, 4], &[7, 7]];
    let buffer: Vec<u32> = windows.concat();
    for (words, pushes) in [
        (vec![1, 2, 3, 4], 1),
        (vec![2, 3], 1),
        (vec![1, 2, 1, 2, 3], 2),
        (vec![4, 7, 7, 9], 3),
        (vec![7, 7, 7], 2),
        (vec![5], 1),
        (vec![], 0),
    ] {
        let cover: Vec<_> = cover(&words, &windows).collect();
        assert_eq!(cover.len(), pushes, "{words:?}");
        let mut given = Vec::new();
        for pushed in cover {
            match pushed.start {
                Some(start) => given.extend(&buffer[start..start + pushed.length]),
                None => given.push(words[given.len()]),
            }
        }
        assert_eq!(given, words);
    }
}

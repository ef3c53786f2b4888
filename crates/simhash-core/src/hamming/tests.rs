use proptest::prelude::*;

use super::*;

fn naive(query: u64, k: u32, haystack: &[u64]) -> Vec<(usize, u32)> {
    let distances = haystack.iter().map(|entry| (entry ^ query).count_ones());
    distances
        .enumerate()
        .filter(|&(_, distance)| distance <= k)
        .collect()
}

fn within(scanner: Scanner, query: u64, k: u32, haystack: &[u64]) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    scanner.within(query, k, haystack, |index, distance| {
        found.push((index, distance))
    });
    found
}

fn within_columns(scanner: Scanner, query: u64, k: u32, columns: Columns<'_>) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let query = ColumnQuery::from_low_bits(query);
    scanner.within_columns(query, k, columns, |index, distance| {
        found.push((index, distance))
    });
    found
}

fn split(haystack: &[u64]) -> (Vec<u32>, Vec<u16>) {
    haystack
        .iter()
        .map(|&entry| ColumnQuery::from_low_bits(entry))
        .map(|c| (c.hi, c.lo))
        .unzip()
}

/// A query, and entries both near it and unrelated.
fn query_and_haystack() -> impl Strategy<Value = (u64, Vec<u64>)> {
    let near = prop::collection::vec(0_u32..64, 0..6).prop_map(|bits| {
        bits.into_iter()
            .fold(0, |difference, bit| difference ^ 1_u64 << bit)
    });
    let difference = prop_oneof![near, any::<u64>()];
    (any::<u64>(), prop::collection::vec(difference, 0..200)).prop_map(|(query, differences)| {
        (
            query,
            differences
                .into_iter()
                .map(|difference| query ^ difference)
                .collect(),
        )
    })
}

proptest! {
    #[test]
    fn every_scanner_agrees_with_the_naive_scan(
        (query, haystack) in query_and_haystack(),
        k in prop_oneof![0_u32..=8, 0_u32..=64, Just(u32::MAX), any::<u32>()],
        start in 0_usize..9,
    ) {
        // From different starts, loads fall on every alignment.
        let haystack = &haystack[start.min(haystack.len())..];
        let expected = naive(query, k, haystack);
        for scanner in Scanner::available() {
            prop_assert_eq!(&within(scanner, query, k, haystack), &expected, "{:?}", scanner);
        }
    }

    #[test]
    fn every_scanner_agrees_with_the_naive_scan_of_columns(
        (query, haystack) in query_and_haystack(),
        k in prop_oneof![0_u32..=8, 0_u32..=64, Just(u32::MAX), any::<u32>()],
        start in 0_usize..17,
        missing in 0_usize..3,
    ) {
        const LOW: u64 = (1 << 48) - 1;
        let haystack = &haystack[start.min(haystack.len())..];
        let (hi, lo) = split(haystack);
        let common = haystack.len().saturating_sub(missing);
        let low: Vec<_> = haystack[..common].iter().map(|entry| entry & LOW).collect();
        let expected = naive(query & LOW, k, &low);
        for scanner in Scanner::available() {
            for columns in [
                Columns { hi: &hi, lo: &lo[..common] },
                Columns { hi: &hi[..common], lo: &lo },
            ] {
                let found = within_columns(scanner, query, k, columns);
                prop_assert_eq!(&found, &expected, "{:?}", scanner);
            }
        }
    }
}

#[test]
fn every_length_around_the_block_and_vector_sizes() {
    for scanner in Scanner::available() {
        for len in 0..=260 {
            // Only the last entry is far away.
            let mut haystack = vec![7_u64; len];
            if let Some(last) = haystack.last_mut() {
                *last = !7;
            }
            let (hi, lo) = split(&haystack);
            let near: Vec<_> = (0..len.saturating_sub(1)).map(|index| (index, 0)).collect();
            let all: Vec<_> = naive(7, 64, &haystack);
            assert_eq!(
                within(scanner, 7, 63, &haystack),
                near,
                "{scanner:?}, {len}"
            );
            assert_eq!(within(scanner, 7, 64, &haystack), all, "{scanner:?}, {len}");
            let columns = Columns { hi: &hi, lo: &lo };
            assert_eq!(
                within_columns(scanner, 7, 47, columns),
                near,
                "{scanner:?}, {len}"
            );
        }
    }
}

#[test]
fn the_best_scanner_of_this_machine_is_chosen() {
    let best = Scanner::available().last();
    assert_eq!(best, Some(Scanner::new()));
    assert_eq!(Scanner::default(), Scanner::new());
}

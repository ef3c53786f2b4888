use proptest::prelude::*;

use super::*;

/// The low `width` sums, most significant first, as articles print them.
fn printed<S: SumType>(accumulator: &Accumulator<S>, width: usize) -> Vec<S> {
    accumulator.sums()[..width].iter().rev().copied().collect()
}

fn low_bits<S: SumType>(accumulator: &Accumulator<S>, width: u32) -> u64 {
    accumulator.fingerprint().unwrap().bits() & ((1 << width) - 1)
}

fn of<S: SumType>(features: &[(u64, S)]) -> Accumulator<S> {
    let mut accumulator = Accumulator::new();
    for &(hash, weight) in features {
        accumulator.add(hash, weight);
    }
    accumulator
}

#[test]
fn two_weighted_features() {
    let sums = of::<i64>(&[(0b100101, 4), (0b101011, 5)]);
    assert_eq!(printed(&sums, 6), [9, -9, 1, -1, 1, 9]);
    assert_eq!(low_bits(&sums, 6), 0b101011);
}

#[test]
fn five_weighted_features() {
    let sums = of::<i64>(&[
        (0b100101, 5),
        (0b101011, 2),
        (0b100111, 3),
        (0b101111, 1),
        (0b111011, 4),
    ]);
    assert_eq!(printed(&sums, 6), [15, -7, -1, 3, 5, 15]);
    assert_eq!(low_bits(&sums, 6), 0b100111);
}

#[test]
fn two_features_with_fractional_weights() {
    let sums = of::<f64>(&[(0b0101_1001, 45.11), (0b1100_1011, 32.09)]);
    assert_eq!(low_bits(&sums, 8), 0b0101_1001);
}

#[test]
fn three_features_of_weights_five_three_and_one() {
    let sums = of::<i64>(&[(0b010111, 5), (0b000101, 3), (0b100111, 1)]);
    assert_eq!(
        printed(&of::<i64>(&[(0b010111, 5)]), 6),
        [-5, 5, -5, 5, 5, 5]
    );
    assert_eq!(
        printed(&of::<i64>(&[(0b000101, 3)]), 6),
        [-3, -3, -3, 3, -3, 3]
    );
    assert_eq!(low_bits(&sums, 6), 0b010111);
}

#[test]
fn a_sum_of_zero_gives_a_zero_bit() {
    let sums = of::<i64>(&[(0b10, 1), (0b01, 1)]);
    assert_eq!(printed(&sums, 2), [0, 0]);
    assert_eq!(low_bits(&sums, 2), 0);
}

#[test]
fn no_feature_gives_no_fingerprint() {
    let mut sums = Accumulator::<f64>::new();
    assert_eq!(sums.fingerprint(), None);
    sums.add(1, 0.0);
    sums.add(1, f64::NAN);
    assert_eq!(sums, Accumulator::new());
    // 0.1 + 0.2 - 0.1 - 0.2 is not zero, but nothing is in any more.
    for weight in [0.1, 0.2] {
        sums.add(1, weight);
    }
    for weight in [0.1, 0.2] {
        sums.subtract(1, weight);
    }
    assert_ne!(sums.sums(), &[0.0; 64]);
    assert_eq!(sums.fingerprint(), None);
}

#[test]
fn sums_stop_at_the_limits_of_their_type() {
    let mut sums = of::<i64>(&[(1, i64::MAX), (1, i64::MAX), (1, i64::MIN), (1, i64::MAX)]);
    assert_eq!(sums.sums()[0], i64::MAX - 1);
    sums.merge(&sums.clone());
    assert_eq!((sums.sums()[0], sums.sums()[1]), (i64::MAX, i64::MIN));
    sums.subtract(1, i64::MIN);
    assert_eq!((sums.sums()[0], sums.sums()[1]), (i64::MAX, i64::MIN));

    let mut sums = of::<f64>(&[(1, f64::INFINITY), (1, f64::MAX)]);
    sums.merge(&sums.clone());
    assert_eq!((sums.sums()[0], sums.sums()[1]), (f64::MAX, f64::MIN));
    sums.subtract(1, f64::INFINITY);
    assert_eq!(sums.sums(), &[0.0; 64]);
}

/// The definition, in the plainest words there are.
fn by_definition(features: &[(u64, i64)]) -> [i64; 64] {
    std::array::from_fn(|bit| {
        features
            .iter()
            .map(|&(hash, weight)| {
                if hash & (1 << bit) != 0 {
                    weight
                } else {
                    -weight
                }
            })
            .sum()
    })
}

fn features() -> impl Strategy<Value = Vec<(u64, i64)>> {
    prop::collection::vec((any::<u64>(), -(1_i64 << 40)..1 << 40), 0..40)
}

proptest! {
    #[test]
    fn sums_follow_the_definition(features in features()) {
        prop_assert_eq!(*of(&features).sums(), by_definition(&features));
    }

    #[test]
    fn float_sums_equal_integer_sums_where_both_are_exact(features in features()) {
        let floats: Vec<_> = features.iter().map(|&(hash, weight)| (hash, weight as f64)).collect();
        let sums = of(&floats).sums().map(|sum| sum as i64);
        prop_assert_eq!(sums, *of(&features).sums());
        prop_assert_eq!(of(&floats).fingerprint(), of(&features).fingerprint());
    }

    #[test]
    fn order_does_not_matter(features in features(), cut in 0_usize..40) {
        let mut turned = features.clone();
        turned.rotate_left(cut.min(features.len()));
        turned.reverse();
        prop_assert_eq!(of(&turned), of(&features));
    }

    #[test]
    fn merge_equals_adding_everything_to_one(left in features(), right in features()) {
        let mut merged = of(&left);
        merged.merge(&of(&right));
        prop_assert_eq!(merged, of(&[left, right].concat()));
    }

    #[test]
    fn subtract_inverts_add(kept in features(), passing in features()) {
        let mut sums = of(&kept);
        for &(hash, weight) in &passing {
            sums.add(hash, weight);
        }
        for &(hash, weight) in &passing {
            sums.subtract(hash, weight);
        }
        prop_assert_eq!(*sums.sums(), *of(&kept).sums());
        prop_assert_eq!(sums.fingerprint(), of(&kept).fingerprint());
    }

    #[test]
    fn extreme_weights_saturate_and_never_wrap(
        features in prop::collection::vec((any::<u64>(), prop_oneof![
            Just(i64::MIN), Just(i64::MAX), Just(-i64::MAX), any::<i64>()
        ]), 0..6)
    ) {
        let sums = of(&features);
        for bit in 0..64 {
            let expected = features.iter().fold(0_i64, |sum, &(hash, weight)| {
                let wide = if hash & (1 << bit) != 0 { i128::from(weight) } else { -i128::from(weight) };
                (i128::from(sum) + wide).clamp(i64::MIN.into(), i64::MAX.into()) as i64
            });
            // Negating i64::MIN is itself saturated: one off, and never a wrong sign.
            prop_assert!(sums.sums()[bit].abs_diff(expected) <= 6);
        }
    }

    #[test]
    fn no_float_makes_a_sum_that_is_not_finite(
        features in prop::collection::vec((any::<u64>(), any::<f64>()), 0..20)
    ) {
        let mut sums = of(&features);
        prop_assert!(sums.sums().iter().all(|sum| sum.is_finite()));
        sums.merge(&sums.clone());
        prop_assert!(sums.sums().iter().all(|sum| sum.is_finite()));
    }
}

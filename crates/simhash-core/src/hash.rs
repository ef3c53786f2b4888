//! The 64-bit hash of one feature.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The hash that turns a feature's bytes into 64 bits.
///
/// Each is a published function, the same on every platform and for ever: stored
/// fingerprints depend on it.
///
/// ```
/// use simhash_core::FeatureHasher;
///
/// assert_eq!(FeatureHasher::Fnv1a.hash(b"a"), 0xaf63_dc4c_8601_ec8c);
/// assert_eq!(FeatureHasher::default(), FeatureHasher::Xxh3 { seed: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeatureHasher {
    /// XXH3-64 (the `XXH3_64bits_withSeed` of xxHash 0.8): fast, and every bit is well mixed.
    Xxh3 {
        /// Another seed gives an unrelated fingerprint; [`Default`] uses 0.
        seed: u64,
    },
    /// FNV-1a with 64 bits, the choice of many older simhash databases. Its high bits are
    /// poorly mixed on features of a few bytes, so prefer XXH3 for new data.
    Fnv1a,
}

impl Default for FeatureHasher {
    fn default() -> Self {
        Self::Xxh3 { seed: 0 }
    }
}

impl FeatureHasher {
    /// The hash of these bytes.
    #[must_use]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        match *self {
            Self::Xxh3 { seed } => xxh3_64_with_seed(bytes, seed),
            Self::Fnv1a => fnv1a(bytes),
        }
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    use core::hash::Hasher;
    let mut state = fnv::FnvHasher::default();
    state.write(bytes);
    state.finish()
}

/// The finaliser of splitmix64: a bijection in which every input bit moves every output bit.
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input of xxHash's own sanity checks.
    fn sanity_buffer(len: usize) -> Vec<u8> {
        let mut state = 2_654_435_761_u64;
        let step = |_| {
            let byte = state.to_be_bytes()[0];
            state = state.wrapping_mul(0x9e37_79b1_85eb_ca8d);
            byte
        };
        (0..len).map(step).collect()
    }

    #[test]
    fn xxh3_gives_the_published_vectors() {
        const PRIME64: u64 = 0x9e37_79b1_85eb_ca8d;
        let vectors = [
            (0, 0, 0x2d06_8005_38d3_94c2),
            (0, PRIME64, 0xa8a6_b918_b2f0_364a),
            (1, 0, 0xc44b_dff4_074e_ecdb),
            (1, PRIME64, 0x032b_e332_dd76_6ef8),
            (6, 0, 0x27b5_6a84_cd2d_7325),
            (6, PRIME64, 0x8458_9c11_6ab5_9ab9),
            (12, 0, 0xa713_daf0_dfbb_77e7),
            (12, PRIME64, 0xe730_3e1b_2336_de0e),
            (24, 0, 0xa3fe_70bf_9d35_10eb),
            (24, PRIME64, 0x850e_80fc_35bd_d690),
            (48, 0, 0x397d_a259_ecba_1f11),
            (48, PRIME64, 0xadc2_cbaa_44ac_c616),
            (80, 0, 0xbcde_fbbb_2c47_c90a),
            (80, PRIME64, 0xc6dd_0cb6_9953_2e73),
            (195, 0, 0xcd94_217e_e362_ec3a),
            (195, PRIME64, 0xba68_003d_370c_b3d9),
            (403, 0, 0xcdeb_804d_65c6_dea4),
            (403, PRIME64, 0x6259_f6ec_fd64_43fd),
        ];
        for (len, seed, expected) in vectors {
            let found = FeatureHasher::Xxh3 { seed }.hash(&sanity_buffer(len));
            assert_eq!(found, expected, "{len} bytes, seed {seed:#x}");
        }
    }

    #[test]
    fn fnv1a_gives_the_published_vectors() {
        let vectors: [(&str, u64); 5] = [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
            ("chongo was here!\n", 0x4681_0940_eff5_f915),
            ("127.0.0.1", 0xaabafe7104d914be),
        ];
        for (text, expected) in vectors {
            assert_eq!(
                FeatureHasher::Fnv1a.hash(text.as_bytes()),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn mix_gives_the_outputs_of_splitmix64() {
        // The generator from seed 1234567, as printed in its reference.
        let mut state = 1_234_567_u64;
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for value in expected {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            assert_eq!(mix(state), value);
        }
    }
}

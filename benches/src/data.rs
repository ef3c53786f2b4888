//! Fingerprints and queries that every run can make again.

use simhash_core::Fingerprint;

/// The splitmix64 generator: uniform, seeded, the same everywhere.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// `count` uniformly random fingerprints.
pub fn uniform(count: usize, seed: u64) -> Vec<Fingerprint> {
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| Fingerprint::from_bits(random.next_u64()))
        .collect()
}

/// `count` queries: every second one a stored fingerprint with 0 to 3 bits
/// flipped, the others random.
pub fn queries(stored: &[Fingerprint], count: usize, seed: u64) -> Vec<Fingerprint> {
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|number| {
            let mut bits = random.next_u64();
            if number % 2 == 0 && !stored.is_empty() {
                let index = random.next_u64() % stored.len() as u64;
                bits = stored[index as usize].bits();
                for _ in 0..random.next_u64() % 4 {
                    bits ^= 1 << (random.next_u64() % 64);
                }
            }
            Fingerprint::from_bits(bits)
        })
        .collect()
}

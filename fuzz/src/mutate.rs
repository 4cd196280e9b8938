//! Mutations of inputs: bit flips, truncations, splices, repetitions, keywords and extreme numbers.

use rand_core::Rng;

use crate::words::{NUMBERS, WORDS};

/// Maximum length of an input in bytes.
const MAX_LENGTH: usize = 1 << 14;

/// A random input with one to four mutations.
pub fn mutated(inputs: &[Vec<u8>], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = inputs[below(inputs.len(), random)].clone();
    let other = &inputs[below(inputs.len(), random)];
    for _ in 0..=below(4, random) {
        mutate(&mut bytes, other, random);
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}

fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut impl Rng) {
    let at = below(bytes.len() + 1, random);
    let end = at + below((bytes.len() - at).min(64) + 1, random);
    match below(8, random) {
        0 if at < bytes.len() => bytes[at] ^= 1 << below(8, random),
        1 if at < bytes.len() => bytes[at] = random.next_u32() as u8,
        2 => bytes.truncate(at),
        3 => _ = bytes.drain(at..end),
        4 => {
            let repeated = bytes[at..end].repeat(1 + below(40, random));
            bytes.splice(at..at, repeated);
        }
        5 => {
            let from = below(other.len() + 1, random);
            bytes.splice(at..end, other[from..].iter().copied());
        }
        6 => {
            let word = WORDS[below(WORDS.len(), random)];
            bytes.splice(at..end.min(at + 8), word.bytes());
        }
        _ => replace_number(bytes, at, random),
    }
}

/// Replaces the next decimal number by an extreme one or, without any, some bytes by an extreme integer.
fn replace_number(bytes: &mut Vec<u8>, at: usize, random: &mut impl Rng) {
    let start = bytes[at..].iter().position(u8::is_ascii_digit).map_or(at, |next| at + next);
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length > 0 {
        bytes.splice(start..start + length, NUMBERS[below(NUMBERS.len(), random)].bytes());
    } else {
        let edges = [0, 1, 127, 128, 255, 256, 65_535, 1 << 31, u64::from(u32::MAX), 1 << 63, u64::MAX];
        let width = [1, 2, 4, 8][below(4, random)].min(bytes.len() - at);
        let edge = edges[below(edges.len(), random)].to_le_bytes();
        bytes[at..at + width].copy_from_slice(&edge[..width]);
    }
}

fn below(count: usize, random: &mut impl Rng) -> usize {
    (random.next_u64() % count.max(1) as u64) as usize
}

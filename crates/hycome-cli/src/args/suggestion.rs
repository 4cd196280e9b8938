//! "Did you mean …?" for misspelt names.

/// The candidate with the smallest edit distance, if that is at most a third of its length.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    let (distance, candidate) = candidates.map(|other| (strsim::levenshtein(&word, other), other)).min()?;
    (3 * distance <= candidate.len().max(3)).then_some(candidate)
}

/// ` (did you mean …?)` with the nearest candidate, or nothing.
pub fn did_you_mean<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let names = ["karate", "football", "learning_rate"];
        assert_eq!(nearest("karat", names.into_iter()), Some("karate"));
        assert_eq!(nearest("fotbal", names.into_iter()), Some("football"));
        assert_eq!(nearest("Learning-Rate", names.into_iter()), Some("learning_rate"));
        assert_eq!(nearest("dblp", names.into_iter()), None);
    }
}

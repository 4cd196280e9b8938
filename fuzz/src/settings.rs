//! Target for TOML settings, parsed and validated as by `hycome embed --config`.

use hycome::TrainConfig;

/// Hyperparameters of a training in TOML.
pub fn settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            assert!(text.is_char_boundary(start), "an error position is a character boundary");
            return;
        }
    };
    let Ok(json) = serde_json::to_value(table) else { return };
    let Ok(config) = serde_json::from_value::<TrainConfig>(json) else { return };
    if config.validate().is_ok() {
        let text = serde_json::to_string(&config).expect("settings can be serialized");
        assert_eq!(
            serde_json::from_str::<TrainConfig>(&text).expect("serialized settings can be parsed"),
            config
        );
    }
}

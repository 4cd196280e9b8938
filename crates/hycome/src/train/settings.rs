//! Hyperparameters by name: how config files, keyword arguments and grids override the defaults.

use serde_json::{Map, Value};

use super::config::TrainConfig;

/// Hyperparameters by name.
pub type Settings = Map<String, Value>;

/// A hyperparameter that does not exist or cannot have the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`: {message}")]
pub struct SettingError {
    /// Name as given.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// Whether the value has the wrong type, rather than the wrong content.
    pub is_type: bool,
}

impl TrainConfig {
    /// All hyperparameters by name.
    #[must_use]
    pub fn to_settings(&self) -> Settings {
        match serde_json::to_value(self) {
            Ok(Value::Object(settings)) => settings,
            _ => Map::new(), // never: the fields are named numbers and texts
        }
    }

    /// These hyperparameters, overridden by `settings`; ranges are checked by [`TrainConfig::validate`].
    ///
    /// ```
    /// use hycome::TrainConfig;
    /// let settings = serde_json::json!({ "dim": 5, "walks": 3 });
    /// let config = TrainConfig::default().with_settings(settings.as_object().expect("an object"))?;
    /// assert_eq!((config.dim, config.walks), (Some(5), Some(3)));
    /// # Ok::<(), hycome::train::SettingError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such hyperparameter, or the value has the wrong type; names the first one.
    pub fn with_settings(&self, settings: &Settings) -> Result<Self, SettingError> {
        let mut all = self.to_settings();
        let mut config = self.clone();
        for (name, value) in settings {
            all.insert(name.clone(), value.clone());
            config = serde_json::from_value(Value::Object(all.clone())).map_err(|error| {
                let message = error.to_string();
                let is_type = message.starts_with("invalid type");
                SettingError { name: name.clone(), message, is_type }
            })?;
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(json: Value) -> Settings {
        json.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn settings_override_defaults_and_keep_the_rest() {
        let base = TrainConfig { walks: Some(7), ..TrainConfig::default() };
        let merged = base.with_settings(&settings(serde_json::json!({ "dim": 3, "alpha": 0.5 }))).unwrap();
        assert_eq!(merged, TrainConfig { dim: Some(3), alpha: Some(0.5), ..base });
    }

    #[test]
    fn every_setting_survives_the_round_trip() {
        let config = TrainConfig { gamma: Some(0.1), seed: 9, ..TrainConfig::default() };
        assert_eq!(TrainConfig::default().with_settings(&config.to_settings()), Ok(config));
    }

    #[test]
    fn errors_name_the_setting() {
        let merge = |json| TrainConfig::default().with_settings(&settings(json)).unwrap_err();
        let wrong_type = merge(serde_json::json!({ "walks": 3, "dim": "two" }));
        assert_eq!((wrong_type.name.as_str(), wrong_type.is_type), ("dim", true));
        let unknown = merge(serde_json::json!({ "dims": 2 }));
        assert_eq!((unknown.name.as_str(), unknown.is_type), ("dims", false));
    }
}

/** A text that is no TOML, or a value that TOML cannot express; `message` has the form of Helm's TOML library. */
export class TomlError extends Error {
  override readonly name = "TomlError";
}

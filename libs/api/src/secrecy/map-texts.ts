/** How `mapTexts` changes the keys of maps: not at all when absent. */
interface KeyOptions {
  readonly changeKey?: ((key: string) => string) | undefined;
}

/** The same JSON value with every text in it changed. */
export function mapTexts<T>(value: T, change: (text: string) => string, options: KeyOptions = {}): T {
  // The shape stays; texts stay texts.
  return mapValue(value, change, options) as T;
}

function mapValue(value: unknown, change: (text: string) => string, options: KeyOptions): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapValue(item, change, options));
  if (typeof value !== "object" || value === null) return value;
  const { changeKey } = options;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [changeKey?.(key) ?? key, mapValue(member, change, options)]),
  );
}

type ChangeTexts<T> = (value: T, change: (text: string) => string) => T;

/** As `walk` with `change`, which gets all texts at once, each once. */
export function mapTextsAtOnce<T>(
  value: T,
  change: (texts: readonly string[]) => readonly string[],
  walk: ChangeTexts<T> = mapTexts,
): T {
  const found = new Set<string>();
  walk(value, (text) => {
    found.add(text);
    return text;
  });
  const texts = [...found];
  const changed = change(texts);
  const byText = new Map(texts.map((text, index) => [text, changed[index] ?? ""]));
  return walk(value, (text) => byText.get(text) ?? "");
}

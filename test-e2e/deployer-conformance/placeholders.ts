/** What stands for `{{word}}` in the texts of a profile. */
export interface Words {
  /** Of the DeployItem. */
  readonly name: string;
  /** Ten letters and digits for the name, where that may be too long. */
  readonly id: string;
  /** Of the scenario. */
  readonly namespace: string;
  /** Text of a kubeconfig for the cluster that Targets give access to. */
  readonly kubeconfig: string;
  /** A value that must be seen nowhere. */
  readonly sentinel: string;
}

/** A copy of a value of a profile with all placeholders filled in. Throws on one that is unknown. */
export function fillIn<T>(value: T, words: Words): T {
  // The shape stays: only texts change.
  return fill(value, words) as T;
}

function fill(value: unknown, words: Words): unknown {
  if (typeof value === "string") return value.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => wordOf(word, words));
  if (Array.isArray(value)) return value.map((each) => fill(each, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, words)]));
}

/** Throws on a placeholder that is none, wherever in the value. */
export function checkPlaceholders(value: unknown): void {
  fill(value, { name: "", id: "", namespace: "", kubeconfig: "", sentinel: "" });
}

function wordOf(word: string, words: Words): string {
  const found = Object.entries(words).find(([name]) => name === word);
  if (found === undefined) {
    throw new Error(`expected one of the placeholders ${Object.keys(words).join(", ")}, found {{${word}}}`);
  }
  return String(found[1]);
}

/** Arguments of the command line, as the user typed them. */
export interface FuzzArguments {
  readonly positionals: readonly string[];
  readonly only?: string | undefined;
  readonly minutes: string;
  readonly cases: string;
  readonly seed?: string | undefined;
}

export interface FuzzOptions {
  readonly language: string;
  readonly minutes: number;
  readonly cases: number;
  /** Undefined: random. */
  readonly seed: number | undefined;
}

/** Parses arguments; `targets` are the names of what is compared, by language. Throws one Error with a line for each wrong argument. */
export function parseFuzzOptions(
  { positionals, only, minutes, cases, seed }: FuzzArguments,
  targets: Readonly<Record<string, readonly string[]>>,
): FuzzOptions {
  const language = positionals.join(" ");
  const isKnown = Object.hasOwn(targets, language);
  const names = isKnown ? (targets[language] ?? []) : Object.values(targets).flat();
  const problems = [
    isKnown ? [] : describe("language", `one of ${Object.keys(targets).join(", ")}`, language),
    only === undefined || names.includes(only) ? [] : describe("--only", `one of ${names.map(quote).join(", ")}`, only),
    /^\d+(\.\d+)?$/.test(minutes) && Number(minutes) > 0 ? [] : describe("--minutes", "a positive number", minutes),
    /^\d+$/.test(cases) ? [] : describe("--cases", "a whole number", cases),
    seed === undefined || /^\d{1,15}$/.test(seed)
      ? []
      : describe("--seed", "a whole number of at most 15 digits", seed),
  ].flat();
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return {
    language,
    minutes: Number(minutes),
    cases: Number(cases),
    seed: seed === undefined ? undefined : Number(seed),
  };
}

const quote = (text: string): string => `"${text}"`;

function describe(place: string, expected: string, found: string): string {
  return `${place}: expected ${expected}, found ${found === "" ? "nothing" : quote(found)}`;
}

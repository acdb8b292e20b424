export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of a Prometheus text exposition; comments and broken lines are left out. */
export function parsePrometheusText(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line);
    if (match === null) return [];
    const labels: Record<string, string> = {};
    for (const [, key = "", value = ""] of (match[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value;
    return [{ name: match[1] ?? "", labels, value: Number(match[3]) }];
  });
}

/** Sums of the samples of one name by the values of some labels, joined by spaces. */
export function sumBy(samples: readonly Sample[], name: string, labels: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const sample of samples.filter((each) => each.name === name)) {
    const key = labels.map((label) => sample.labels[label] ?? "").join(" ");
    sums[key] = (sums[key] ?? 0) + sample.value;
  }
  return sums;
}

/** What came on top from `before` to `after`, without zeros. */
export function subtractCounts(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  const entries = Object.entries(after).map(([key, value]) => [key, value - (before[key] ?? 0)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value > 0));
}

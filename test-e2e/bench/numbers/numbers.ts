import { parseFloat64Json, parseJson } from "@landscaper/json";
import { isDeepEqual } from "@landscaper/patch";
import { percentile } from "../measure/percentile.ts";
import { compareAsFloat64 } from "./compare-as-float64.ts";
import { makeManifest } from "./large-manifest.ts";

export interface NumbersMeasure {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds of parsing two texts and comparing their values. */
  readonly exact: number;
  readonly float64: number;
  readonly ratio: number;
  readonly limit: number;
}

export interface NumbersBenchmark {
  readonly rounds: number;
  readonly measures: readonly NumbersMeasure[];
  readonly misses: readonly string[];
}

interface MeasuredManifest {
  readonly name: string;
  readonly every: number;
  /** How much longer the exact way may take. */
  readonly limit: number;
}

const manifests: readonly MeasuredManifest[] = [
  { name: "no large integer", every: 0, limit: 1.1 },
  { name: "one large integer", every: Infinity, limit: 1.1 },
  // Restoring the integers reads the whole value once more.
  { name: "a large integer in each 100th list item", every: 100, limit: 1.25 },
];

/** Compares the exact reading of manifests of 1 MB with JSON.parse and a comparison that knows float64 only. */
export function benchNumbers(rounds: number): NumbersBenchmark {
  const measures = manifests.map((manifest) => measure(manifest, rounds));
  const misses = measures
    .filter(({ ratio, limit }) => ratio > limit)
    .map(
      ({ name, ratio, limit }) =>
        `${name}: expected at most ${limit} times the time of float64, found ${ratio.toFixed(2)}`,
    );
  return { rounds, measures, misses };
}

function measure({ name, every, limit }: MeasuredManifest, rounds: number): NumbersMeasure {
  const text = makeManifest(every);
  // Equal to the other one, as a live object is, and sharing nothing with it.
  const live = `${text} `;
  const ways = {
    exact: () => isDeepEqual(parseJson(text), parseJson(live)),
    float64: () => compareAsFloat64(parseFloat64Json(text), parseFloat64Json(live)),
  };
  const times: Record<keyof typeof ways, number[]> = { exact: [], float64: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ["exact", "float64"] as const) {
      const started = performance.now();
      if (!ways[way]()) throw new Error(`${name}: the values of equal texts differ`);
      times[way].push(performance.now() - started);
    }
  }
  // Other processes and garbage collections only ever add time.
  const [exact, float64] = [percentile(times.exact, 0.1), percentile(times.float64, 0.1)];
  return { name, bytes: Buffer.byteLength(text), exact, float64, ratio: exact / float64, limit };
}

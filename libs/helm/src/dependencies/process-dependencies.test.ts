import { describe, expect, it } from "@jest/globals";
import { type GoMap, fromPlain, isMap, toPlain } from "@landscaper/golang";
import * as fc from "fast-check";
import { type Chart, walkCharts } from "../chart/chart.ts";
import { coalesceValues } from "../values/coalesce-values.ts";
import { processDependencies } from "./process-dependencies.ts";

function map(value: unknown): GoMap {
  const converted = fromPlain(value);
  return isMap(converted) ? converted : new Map();
}

function chart(name: string, values: unknown, more: Partial<Chart> = {}): Chart {
  const metadata = { name, version: "1.0.0", ...more.metadata };
  return { values: map(values), templates: [], files: [], raw: [], dependencies: [], ...more, metadata };
}

const key = fc.constantFrom("a", "b", "s", "global", "tags", "exports");
const { table } = fc.letrec<{ table: Record<string, unknown> }>((tie) => ({
  table: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 1, "x", true, []), tie("table")), {
    maxKeys: 3,
  }),
}));

const charts = fc
  .record({ root: table, sub: table, alias: fc.constantFrom(undefined, "a", "t") })
  .map(({ root, sub, alias }) =>
    chart("root", root, {
      metadata: {
        name: "root",
        version: "1.0.0",
        dependencies: [
          {
            name: "s",
            version: "*",
            condition: "a,s.on",
            importValues: ["a"],
            ...(alias === undefined ? {} : { alias }),
          },
        ],
      },
      dependencies: [chart("s", sub, { dependencies: [chart("u", { k: 1 })] })],
    }),
  );

/** A result, or the message of what refuses the values. */
function attempt<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

describe("processDependencies and coalesceValues", () => {
  it("change neither the chart nor the values that they are given, and give the same again", () => {
    fc.assert(
      fc.property(charts, table, (loaded, given) => {
        const values = map(given);
        const before = JSON.stringify([toPlain(values), dump(loaded)]);
        const run = (): unknown => {
          const processed = processDependencies(loaded, values);
          return [dump(processed), toPlain(coalesceValues(processed, values))];
        };
        const first = attempt(run);
        expect(attempt(run)).toEqual(first);
        expect(JSON.stringify([toPlain(values), dump(loaded)])).toBe(before);
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it("give values that share nothing with the chart", () => {
    const loaded = chart("root", { t: { x: [{ y: 1 }] } });
    const values = coalesceValues(loaded, new Map());
    const t = values.get("t");
    if (isMap(t)) t.set("x", "changed");
    expect(toPlain(loaded.values)).toEqual({ t: { x: [{ y: 1 }] } });
  });
});

function dump(root: Chart): unknown {
  return walkCharts(root).map(({ chart: { metadata, values }, fullPath }) => [fullPath, metadata, toPlain(values)]);
}

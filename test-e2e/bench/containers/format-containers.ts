import { formatTable } from "../format-table.ts";
import { containerBudgets, wholeOf, type ContainersBenchmark } from "./containers.ts";

const ms = (value: number): string => `${value.toFixed(0)} ms`;

function compare(what: string, [ours, raw]: readonly [number, number], most = ""): string[] {
  return [what, ms(ours), ms(raw), `${(ours / raw).toFixed(2)}x`, most];
}

/** The report of `npm run bench -- containers`. */
export function formatContainers(benchmark: ContainersBenchmark): string {
  const { place, share, raw, shareRatio: ratio, atOnce, state, misses } = benchmark;
  const { shareRatio, peakMiB, requestsEach, stateRatio } = containerBudgets;
  const { saveMs, restoreMs, rawWriteMs, rawReadMs } = state;
  return [
    place,
    formatTable([
      ["", "deployer", "raw", "ratio", "at most"],
      compare("pickup to start of the Pod", [share.startMs, raw.startMs]),
      compare("end of the Pod to that of the job", [share.finishMs, raw.finishMs]),
      compare("share of a job", [wholeOf(share), wholeOf(raw)]),
      ["each job to the raw ones beside it", "", "", `${ratio.median.toFixed(2)}x`, `${shareRatio}x`],
      compare("20 MiB saved", [saveMs, rawWriteMs]),
      compare("20 MiB restored", [restoreMs, rawReadMs]),
      compare("both", [saveMs + restoreMs, rawWriteMs + rawReadMs], `${stateRatio}x`),
    ]),
    `half of the ${ratio.count} jobs: ${ratio.quartiles.map((each) => `${each.toFixed(2)}x`).join(" to ")}`,
    "",
    formatTable([
      [`${atOnce.count} items at once`, "found", "at most"],
      ["seconds", atOnce.seconds.toFixed(1), ""],
      ["peak of the deployer", `${atOnce.peakMiB.toFixed(0)} MiB`, `${peakMiB} MiB`],
      ["API requests of each", atOnce.requestsEach.toFixed(1), String(requestsEach)],
    ]),
    "",
    formatTable([
      ["request", "all", "each"],
      ...Object.entries(atOnce.requests)
        .toSorted(([, one], [, other]) => other - one)
        .map(([kind, all]) => [kind, String(all), (all / atOnce.count).toFixed(1)]),
    ]),
    "",
    ...(misses.length === 0 ? ["all as required"] : misses.map((miss) => `MISSED: ${miss}`)),
  ].join("\n");
}

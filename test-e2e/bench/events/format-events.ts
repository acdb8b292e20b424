import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import type { EventsBenchmark } from "./events.ts";

/** The report of `npm run bench -- events`. */
export function formatEvents(benchmark: EventsBenchmark): string {
  const { count, transitions, milliseconds, misses } = benchmark;
  const rows = [
    ["processor time at 5,000 transitions a minute", `${benchmark.corePercent.toFixed(1)} % of a core`, "10 %"],
    [`memory after listing ${count} objects`, `${benchmark.listedMiB.toFixed(1)} MiB`, "64 MiB"],
    ["memory after a restart from the bucket", `${benchmark.restartedMiB.toFixed(1)} MiB`, "64 MiB"],
    ["requests to the API server for an event", benchmark.requestsPerEvent.toFixed(4), "0.01"],
    ["largest resident memory of the process", `${benchmark.peakMiB.toFixed(0)} MiB`, "-"],
    ["processor time of the first list", `${benchmark.listSeconds.toFixed(1)} s`, "-"],
  ];
  return [
    `${count} DeployItems; ${transitions} transitions in ${milliseconds / 1_000} s`,
    "",
    formatTable([["publisher of events", "found", "budget"], ...rows]),
    "",
    ...formatVerdict(misses),
  ].join("\n");
}

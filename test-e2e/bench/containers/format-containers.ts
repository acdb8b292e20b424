import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import type { Spread } from "../measure/percentile.ts";
import type { JobShare } from "./job-marks.ts";
import { containerBudgets, wholeOf, type ContainersBenchmark } from "./containers.ts";

const ms = (value: number): string => `${value.toFixed(0)} ms`;

function compare(what: string, [ours, raw]: readonly [number, number], most = ""): string[] {
  return [what, ms(ours), ms(raw), `${(ours / raw).toFixed(2)}x`, most];
}

const times = ({ median }: Spread): string => `${median.toFixed(2)}x`;
const quartilesOf = ({ quartiles }: Spread): string => quartiles.map((each) => `${each.toFixed(2)}x`).join(" to ");

type Compared = Pick<ContainersBenchmark, "share" | "contract" | "replay">;

function shareRow(what: string, { share, contract, replay }: Compared, of: (share: JobShare) => number): string[] {
  const [ours, least, same] = [share, contract.share, replay.share].map(of) as [number, number, number]; // of three shares
  const ratio = (raw: number): string => `${(ours / raw).toFixed(2)}x`;
  return [what, ms(ours), ms(least), ratio(least), "", ms(same), ratio(same)];
}

/** The report of `npm run bench -- containers`. */
export function formatContainers(benchmark: ContainersBenchmark): string {
  const { place, contract, replay, atOnce, state, misses } = benchmark;
  const { shareRatio, peakMiB, requestsEach, stateRatio } = containerBudgets;
  const { saveMs, restoreMs, rawWriteMs, rawReadMs } = state;
  return [
    place,
    formatTable([
      ["", "deployer", "smallest list", "ratio", "at most", "replay", "ratio"],
      shareRow("pickup to start of the Pod", benchmark, ({ startMs }) => startMs),
      shareRow("end of the Pod to end of the job", benchmark, ({ finishMs }) => finishMs),
      shareRow("share of a job", benchmark, wholeOf),
      ["each job to the raw ones beside it", "", "", times(contract.ratio), `${shareRatio}x`, "", times(replay.ratio)],
    ]),
    `half of the ${contract.ratio.count} jobs: ${quartilesOf(contract.ratio)} (smallest list), ${quartilesOf(replay.ratio)} (replay)`,
    "",
    formatTable([
      ["", "deployer", "raw", "ratio", "at most"],
      compare("20 MiB saved", [saveMs, rawWriteMs]),
      compare("20 MiB restored", [restoreMs, rawReadMs]),
      compare("both", [saveMs + restoreMs, rawWriteMs + rawReadMs], `${stateRatio}x`),
    ]),
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
    ...formatVerdict(misses),
  ].join("\n");
}

import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { requestsOf, type PhaseMeasure } from "../measure/measure.ts";
import {
  listUnjudged,
  toRaw,
  type InstallationsBenchmark,
  type InstallationsPhase,
  type RawMeasure,
} from "./judge-installations.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

const seconds = (value: number): string => `${value.toFixed(1)} s`;

function rawColumns(phase: InstallationsPhase, raw: RawMeasure): string[] {
  return [
    `${raw.before.toFixed(1)}, ${seconds(raw.after)}`,
    raw.requestsEach.toFixed(1),
    `${toRaw(phase, raw).toFixed(2)}x`,
  ];
}

function phaseTable({ count, phases }: InstallationsBenchmark): string {
  const heading = ["phase", "product", "p50", "p99", "requests each"];
  const raw = ["smallest list", "requests each", "ratio", "replay", "requests each", "ratio"];
  const rows = phases.map((each) => [
    each.phase,
    seconds(each.product.seconds),
    `${each.product.p50Seconds.toFixed(2)} s`,
    `${each.product.p99Seconds.toFixed(2)} s`,
    (requestsOf(each.product) / count).toFixed(1),
    ...rawColumns(each, each.contract),
    ...rawColumns(each, each.replay),
  ]);
  return formatTable([[...heading, ...raw], ...rows]);
}

function requestTable({ phase, services }: PhaseMeasure, count: number): string {
  const kinds = [...new Set(services.flatMap(({ requests }) => Object.keys(requests)))].toSorted();
  const rows = kinds.map((kind) => {
    const counts = services.map(({ requests }) => requests[kind] ?? 0);
    const all = counts.reduce((sum, each) => sum + each, 0);
    return [kind, ...counts.map(String), String(all), (all / count).toFixed(1)];
  });
  return formatTable([[`${phase}: request`, ...services.map(({ name }) => name), "all", "each"], ...rows]);
}

function processTable(phases: readonly PhaseMeasure[]): string {
  const [first] = phases;
  const names = [...(first?.services ?? []), ...(first?.controlPlane ?? [])].map(({ name }) => name);
  const find = (phase: PhaseMeasure, name: string): { cpuSeconds: number; peakRssMiB: number } | undefined =>
    [...phase.services, ...phase.controlPlane].find((each) => each.name === name);
  const rows = names.map((name) => [
    name,
    ...phases.map((phase) => seconds(find(phase, name)?.cpuSeconds ?? 0)),
    `${Math.max(...phases.map((phase) => find(phase, name)?.peakRssMiB ?? 0)).toFixed(0)} MiB`,
  ]);
  return formatTable([["process", ...phases.map(({ phase }) => `CPU ${phase}`), "peak RSS"], ...rows]);
}

/** The report of `npm run bench -- installations`. */
export function formatInstallations(benchmark: InstallationsBenchmark): string {
  const { count, inFlight, single, misses } = benchmark;
  const phases = benchmark.phases.map(({ product }) => product);
  return [
    `${count} Installations on kube-apiserver ${kubernetesVersion}, ${inFlight} in flight; raw clients: before, after; requests of the product without those of users`,
    "",
    phaseTable(benchmark),
    "",
    ...phases.flatMap((phase) => [requestTable(phase, count), ""]),
    processTable(phases),
    "",
    `one on an idle system: ${single.secondsOfOne.toFixed(2)} s; ` +
      `a job that changes nothing: ${single.requestsOfNoOp.toFixed(1)} requests`,
    "",
    ...formatVerdict(misses, listUnjudged(benchmark)),
  ].join("\n");
}

import { formatTable } from "../format-table.ts";
import { steps, type ResourcesBenchmark, type Step } from "./resources.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

const titles: Readonly<Record<Step, string>> = {
  create: "new objects",
  unchanged: "unchanged",
  changed: "10 % changed",
};

function stepTable({ measures }: ResourcesBenchmark, step: Step): string {
  const rows = measures.flatMap(({ contender, steps: measured }) =>
    measured
      .filter((measure) => measure.step === step)
      .map(({ seconds, timesFaster, requestsEach, cpuSeconds, serverCpuSeconds }) => [
        contender,
        `${seconds.toFixed(2)} s`,
        `${timesFaster.toFixed(2)}x`,
        requestsEach.toFixed(2),
        `${cpuSeconds.toFixed(2)} s`,
        `${serverCpuSeconds.toFixed(2)} s`,
      ]),
  );
  return formatTable([[titles[step], "time", "faster", "requests each", "CPU", "CPU of the server"], ...rows]);
}

/** The report of `npm run bench -- resources`. */
export function formatResources(benchmark: ResourcesBenchmark): string {
  const { count, rounds, peakRssMiB, misses } = benchmark;
  return [
    `${count} objects on kube-apiserver ${kubernetesVersion}, beside kubectl apply --server-side; medians of ${rounds} rounds`,
    "",
    ...steps.flatMap((step) => [stepTable(benchmark, step), ""]),
    `peak RSS of the manifest deployer: ${peakRssMiB.toFixed(0)} MiB`,
    "",
    ...(misses.length === 0 ? ["all within the budgets"] : misses.map((miss) => `missed: ${miss}`)),
  ].join("\n");
}

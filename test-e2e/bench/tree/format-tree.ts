import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { requestsOf } from "../measure/measure.ts";
import type { TreeBenchmark } from "./tree.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

/** The report of `npm run bench -- tree`. */
export function formatTree({ installations, rounds, misses }: TreeBenchmark): string {
  const [first = []] = rounds;
  const names = first.flatMap(({ services }) => services.map(({ name }) => name));
  const services = [...new Set(names)];
  const rows = rounds.flatMap((round, index) =>
    round.map((phase) => [
      `${index + 1} ${phase.phase}`,
      `${phase.seconds.toFixed(2)} s`,
      (requestsOf(phase) / installations).toFixed(1),
      ...services.map((name) => {
        const service = phase.services.find((each) => each.name === name);
        return `${(service?.cpuSeconds ?? 0).toFixed(2)} s`;
      }),
    ]),
  );
  return [
    `a tree of ${installations} Installations on kube-apiserver ${kubernetesVersion}`,
    "",
    formatTable([["round", "time", "requests each", ...services.map((name) => `CPU ${name}`)], ...rows]),
    "",
    ...formatVerdict(misses),
  ].join("\n");
}

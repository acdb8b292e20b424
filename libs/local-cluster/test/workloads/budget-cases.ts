import { get, patch, post } from "../parity/exchange.ts";
import type { ParityCase } from "../parity/exchange.ts";
import { apps, counts, selector, template, workloadCase } from "./workload-case.ts";

/** A case of its own for each: of several budgets over a pod the real controller keeps one up to date. */
export const budgetCases: readonly ParityCase[] = [
  budgetCase("a number", { minAvailable: 1 }),
  budgetCase("a share", { minAvailable: "50%" }),
  budgetCase("a lack", { maxUnavailable: 1 }),
];

function budgetCase(name: string, limit: object): ParityCase {
  return workloadCase(`disruption budget with ${name}`, (path) => {
    const budget = path("poddisruptionbudgets.policy/v1", "/budget");
    const web = path(`deployments${apps}`, "/web");
    const healthy = (currentHealthy: number) => counts({ currentHealthy, expectedPods: currentHealthy });
    return [
      post(path("poddisruptionbudgets.policy/v1"), { metadata: { name: "budget" }, spec: { selector, ...limit } }),
      get(budget, healthy(0)),
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: { replicas: 3, selector, template: template() },
      }),
      get(budget, healthy(3)),
      patch(web, { spec: { replicas: 1 } }),
      get(budget, healthy(1)),
    ];
  });
}

// Two ports of one number, of which Helm's three-way merge loses one.
import { expect, it } from "@jest/globals";
import { annotations, conditionTypes, type ResourceType } from "@landscaper/api";
import { rawChart } from "../test/index.ts";
import { useHelmBench } from "../test/helm-bench.ts";

const bench = useHelmBench();
const service: ResourceType = { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true };

async function chartOf(...protocols: readonly string[]): Promise<object> {
  const ports = protocols.map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol }));
  const object = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "dns" },
    spec: { ports, selector: { app: "dns" } },
  };
  return await rawChart({ "templates/service.yaml": JSON.stringify(object) });
}

it.each([
  ["the three-way merge loses a port, with a warning", {}, 1],
  ["apply keeps both ports", { updateStrategy: "apply" }, 2],
])("%s", async (_, config, count) => {
  await bench.deploy({ chart: await chartOf("TCP"), ...config });
  await bench.annotate(annotations.sensitiveConfig, "[]");
  const done = await bench.redeploy({ chart: await chartOf("TCP", "UDP"), ...config });
  const live = await bench.find(service, "dns");
  expect(Object(live).spec.ports).toHaveLength(count);
  const warnings = done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message ?? "";
  expect(warnings.includes("does not keep the port 53/")).toBe(count === 1);
});

// Custom resources of a release whose operator has not written a status yet.
import { expect, it } from "@jest/globals";
import { annotations, conditionTypes, type DeployItem } from "@landscaper/api";
import { helmSpec, rawChart } from "../../test/index.ts";
import { jobTimeout, useHelmBench } from "../../test/helm-bench.ts";

const bench = useHelmBench();

function filesOf(group: string, size: number): Record<string, string> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `shops.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Shop", plural: "shops", singular: "shop", listKind: "ShopList" },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
  const shop = { apiVersion: `${group}/v1`, kind: "Shop", metadata: { name: "shop" }, spec: { size } };
  return { "crds/crd.yaml": JSON.stringify(definition), "templates/shop.yaml": JSON.stringify(shop) };
}

function hasWarning({ status }: DeployItem): boolean {
  const warnings = status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
  return warnings?.message.includes(`Shop ${bench.namespace}/shop counts as ready without a status`) ?? false;
}

async function waitInVain(): Promise<DeployItem> {
  await bench.waitForWords(`Shop ${bench.namespace}/shop: has no status yet`);
  bench.clock.leap(15_000);
  const done = await bench.scope.waitForEnd("item");
  expect(done.status?.phase).toBe("Succeeded");
  return done;
}

it("a job waits for the status of a custom resource once for each generation, and then warns", async () => {
  const readinessChecks = { level: "kstatus" };
  const specFor = async (size: number) => ({
    ...helmSpec(bench.namespace, {
      chart: await rawChart(filesOf(`${bench.namespace}.example.org`, size)),
      readinessChecks,
    }),
    timeout: jobTimeout,
  });
  const known = { [annotations.sensitiveConfig]: "[]" };
  await bench.scope.create({ name: "item", spec: await specFor(1), annotations: known });
  expect(hasWarning(await waitInVain())).toBe(true);
  await bench.scope.trigger("item");
  expect(hasWarning(await bench.scope.waitForEnd("item"))).toBe(false);
  await bench.scope.trigger("item", await specFor(2));
  expect(hasWarning(await waitInVain())).toBe(true);
  expect((await bench.scope.get("item")).status?.providerStatus?.["readyWithoutStatus"]).toMatchObject([
    { generation: 2 },
  ]);
});

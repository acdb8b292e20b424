// Names of CRDs that the API server has refused: what a core makes of them at its start. The embedded server judges no names.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type CustomResourceDefinition } from "@landscaper/api";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { startEnvironment, updatingCore, type Environment } from "../src/services/environment.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const type = kubeResources.customResourceDefinition;
const name = "componentversionoverwrites.landscaper.gardener.cloud";

const isAccepted = ({ status }: CustomResourceDefinition): boolean =>
  status?.conditions?.some((condition) => condition.type === "NamesAccepted" && condition.status === "True") === true;

const isReal = clustersUnderTest().includes("real");

describeUnless(isReal ? undefined : "needs the real API server", describe)("names of CRDs", () => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster: "real",
      services: ["landscaper-core"],
      separateTarget: false,
      configs: updatingCore,
    });
  });
  afterAll(async () => environment?.stop());

  async function rename(singular: string): Promise<void> {
    const { spec } = await environment.client.get(type, { name });
    const body = { spec: { names: { ...spec.names, singular } } };
    await environment.client.patch(type, { name }, { type: "merge", body });
  }

  async function restart(): Promise<CustomResourceDefinition> {
    const core = environment.service("landscaper-core");
    await core.stop();
    await core.start();
    return await environment.client.get(type, { name });
  }

  it.each([
    ["still wrong", ["componentversionoverwrites"]],
    [
      "right again, with a condition that says they are not",
      ["componentversionoverwrites", "componentversionoverwrite"],
    ],
  ])("are put right when they are %s", async (_case, names) => {
    const before = await environment.client.get(type, { name });
    for (const singular of names) {
      await rename(singular);
      await waitFor(async () => !isAccepted(await environment.client.get(type, { name })));
    }
    const after = await restart();
    expect([isAccepted(after), after.spec.names, after.status?.acceptedNames]).toEqual([
      true,
      before.spec.names,
      before.spec.names,
    ]);
    expect(before.spec.names.singular).toBe("componentversionoverwrite");
  });

  it("stay as they are when they are not ours, and accepted", async () => {
    await rename("overwrite");
    await waitFor(
      async () => (await environment.client.get(type, { name })).status?.acceptedNames?.["singular"] === "overwrite",
    );
    expect((await restart()).spec.names.singular).toBe("overwrite");
    await rename("componentversionoverwrite");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation } from "@landscaper/api";
import { annotations, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { dataObject } from "../src/installations/inline-installation.ts";
import { nestedBadInput, nestedInstallation } from "../src/installations/nested-bad-input.ts";
import { casesOfRun, clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

async function byTemplate(scope: TestNamespace, template: string): Promise<Installation | undefined> {
  const all = await scope.list(resources.installation);
  return all.find(({ metadata }) => metadata.annotations?.[annotations.subinstallationName] === template);
}

const missingIn = (message: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => !message.includes(name));

describe.each(clustersUnderTest())("bad input below the root on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  it.each(casesOfRun("bad-input-nested", nestedBadInput))(
    "$name is named at the leaf and at the root, and can be mended",
    async (given) => {
      const scope = await environment.namespace("nested");
      await scope.apply(dataObject("word", "hello"), given.installation);
      const root = (await scope.waitForPhase("root", "Failed")).status?.lastError;
      const leaf = (await byTemplate(scope, given.failsIn))?.status?.lastError;
      const told = leaf?.message ?? "";
      expect({ told, missing: missingIn(told, given.names) }).toEqual({ told, missing: [] });
      // The root has the path, and the words of the leaf.
      const path =
        given.failsIn === "leaf" ? 'subinstallation "middle": subinstallation "leaf": ' : 'subinstallation "middle": ';
      expect(root?.message).toBe(`${path}${told}`);
      expect(root?.codes).toEqual(leaf?.codes);
      if (given.code !== undefined) expect(leaf?.codes).toContain(given.code);

      await scope.apply(nestedInstallation());
      await scope.waitForPhase("root", "Succeeded");
      expect(await scope.exported("result")).toBe("hello");
    },
  );
});

// The snippets of seed-000 and seed-001 run, completed where they are cut; what had to be corrected stands in docs/compatibility.md.
// That none is left out is tested in samples/seed-inventory.test.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { resourceTypeOf } from "../src/clusters/resource-type-of.ts";
import { readSeedDocuments, type SeedDocument } from "../src/examples/seed-documents.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const documents = readSeedDocuments();

it("docs/compatibility.md names what the documents correct", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");
  const words = documents.flatMap(({ header }) => {
    const corrections = header.split("Corrected:").slice(1).join(" ");
    return [...corrections.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  });
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((word) => !page.includes(word))).toEqual([]);
});

describe.each(clustersUnderTest())("the documents on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  async function expectOutcome(scope: TestNamespace, { expected }: SeedDocument): Promise<void> {
    for (const [name, phase] of Object.entries(expected.phases)) {
      const { status } = await scope.waitForPhase(name, phase);
      expect(status?.lastError?.message ?? "").toContain(expected.messages?.[name] ?? "");
    }
    for (const [name, wanted] of Object.entries(expected.deployItems ?? {})) {
      const items = [...(await scope.deployItems(name))].map(([key, { spec }]) => [key, spec]);
      expect(Object.fromEntries(items)).toMatchObject(wanted);
    }
    for (const wanted of expected.objects ?? []) await expectObject(scope, wanted);
  }

  /** What automatic jobs write comes after the end of the first. */
  async function expectObject(scope: TestNamespace, wanted: UnstructuredObject): Promise<void> {
    const type: ResourceType = resourceTypeOf(wanted);
    await scope.until(type, wanted.metadata.name ?? "", (found) => found !== undefined && hasParts(found, wanted));
  }

  function hasParts(found: unknown, wanted: unknown): boolean {
    try {
      expect(found).toMatchObject(wanted as object);
      return true;
    } catch {
      return false;
    }
  }

  it.each(documents.map((document) => [document.name, document] as const))("%s", async (name, document) => {
    const scope = await environment.namespace(`doc-${name.slice(0, 30)}`);
    await scope.until(resources.context, "default", (found) => found !== undefined);
    await scope.apply(...document.objects);
    await expectOutcome(scope, document);
    if (name === "exports") {
      const exported = await scope.get(resources.dataObject, "my-exported-data");
      expect(exported.metadata.labels).not.toHaveProperty(["data.landscaper.gardener.cloud/context"]);
    }
  });
});

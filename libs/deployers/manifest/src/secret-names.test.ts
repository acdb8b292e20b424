import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture } from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { checkSecretNames } from "./secret-names.ts";
import { configMap, specOf } from "../test/manifests.ts";

const shown = "derives from a secret, and names of objects are shown in status, events, logs and plans";

function check(paths: readonly string[] | undefined): string {
  const marks = paths === undefined ? {} : { annotations: { [annotations.sensitiveConfig]: JSON.stringify(paths) } };
  const item: Pick<DeployItem, "metadata"> = { metadata: { name: "item", ...marks } };
  try {
    checkSecretNames(item);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

describe("checkSecretNames", () => {
  it.each([
    ["/manifests/0/manifest/metadata/name", `spec.config: manifests[0].manifest.metadata.name ${shown}`],
    ["/manifests/12/manifest/metadata/namespace", `spec.config: manifests[12].manifest.metadata.namespace ${shown}`],
    ["/manifests/0/manifest/kind", `spec.config: manifests[0].manifest.kind ${shown}`],
    ["/manifests/0/manifest/apiVersion", `spec.config: manifests[0].manifest.apiVersion ${shown}`],
    ["/manifests/0/metadata/name", `spec.config: manifests[0].metadata.name ${shown}`],
    ["/exports/exports/1/fromResource/name", `spec.config: exports.exports[1].fromResource.name ${shown}`],
    ["/exportsFromManifests/0/fromResource/kind", `spec.config: exportsFromManifests[0].fromResource.kind ${shown}`],
    [
      "/readinessChecks/custom/0/resourceSelector/1/namespace",
      `spec.config: readinessChecks.custom[0].resourceSelector[1].namespace ${shown}`,
    ],
    [
      "/manifests/0/manifest/items/3/metadata/name",
      `spec.config: manifests[0].manifest.items[3].metadata.name ${shown}`,
    ],
  ])("refuses %s", (path, message) => {
    expect(check(["/manifests/0/manifest/data/password", path])).toBe(message);
  });

  it.each([
    [["/manifests/0/manifest/data/name"]],
    [["/manifests/0/manifest/spec/template/metadata/name"]],
    [["/manifests/0/manifest/metadata/annotations/name"]],
    // The whole configuration counts as secret, because the core knows nothing of its values.
    [[""]],
    [undefined],
  ])("accepts %j", (paths) => {
    expect(check(paths)).toBe("accepted");
  });
});

describe("the manifest deployer", () => {
  let fixture: DeployerFixture;
  beforeAll(async () => {
    fixture = await createDeployerFixture();
  });
  afterAll(() => fixture.stop());

  it.each([
    [undefined, "Failed"],
    [true, "Succeeded"],
  ])("ends a job with a name from a secret, with allowSecretNames %p: %s", async (allowSecretNames, phase) => {
    const running = fixture.start({ deployer: createManifestDeployer("v0.0.0-test", { allowSecretNames }) });
    const scope = await fixture.scope(`secret-names-${phase.toLowerCase()}`);
    await scope.createTarget();
    const marks = { [annotations.sensitiveConfig]: '["/manifests/0/manifest/metadata/name"]' };
    await scope.create({ name: "item", spec: specOf([configMap(`${scope.namespace}/hunter2`)]), annotations: marks });
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe(phase);
    const message = status?.lastError?.message ?? "";
    expect(message.startsWith(`spec.config: manifests[0].manifest.metadata.name ${shown}; name the object by`)).toBe(
      phase === "Failed",
    );
    expect(JSON.stringify(status).includes("hunter2")).toBe(phase === "Succeeded");
    await running.stop();
  });

  it.each([
    [
      "an expression",
      { readinessChecks: { custom: [{ name: "c", resourceSelector: [], cel: "object.hunter2hunter2 ==" }] } },
      "/readinessChecks/custom/0/cel",
    ],
    [
      "the path of an export",
      {
        exports: {
          exports: [
            {
              key: "e",
              jsonPath: ".data.hunter2hunter2",
              fromResource: { apiVersion: "v1", kind: "Namespace", name: "default" },
            },
          ],
        },
      },
      "/exports/exports/0/jsonPath",
    ],
  ])("masks %s that derives from a secret in the status", async (what, config, path) => {
    const running = fixture.start({ deployer: createManifestDeployer("v0.0.0-test") });
    const scope = await fixture.scope(`secret-settings-${what.split(" ").at(-1)}`);
    await scope.createTarget();
    const item = specOf([configMap(`${scope.namespace}/m`)]);
    const spec = { ...item, config: { ...item.config, ...config } };
    const marks = { [annotations.sensitiveConfig]: JSON.stringify([path]) };
    await scope.create({ name: "item", spec, annotations: marks });
    const { status } = await scope.waitFor("item", (found) => JSON.stringify(found).includes("[...]"));
    expect(JSON.stringify(status)).not.toContain("hunter2");
    await running.stop();
  });
});

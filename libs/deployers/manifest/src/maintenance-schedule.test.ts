import { expect, it } from "@jest/globals";
import { createManifestDeployer } from "./manifest-deployer.ts";
import { parseManifestConfig } from "./parse-manifest-config.ts";
import { specOf } from "../test/manifests.ts";

const every = { every: "1h" };
const windows = [{ start: "0 22 * * *", duration: "4h" }];

it.each([
  ["nothing", {}, undefined],
  ["a schedule", { continuousReconcile: every }, every],
  ["drift detection", { driftDetection: "warn" }, { every: "10m" }],
  ["drift detection that is off", { driftDetection: "off" }, undefined],
  ["both", { driftDetection: "correct", continuousReconcile: every }, every],
  [
    "drift detection within windows",
    { driftDetection: "warn", continuousReconcile: { windows } },
    { every: "10m", windows },
  ],
  ["windows alone", { continuousReconcile: { windows } }, { windows }],
])("the schedule of %s", (_name, config, expected) => {
  const { config: spec } = specOf([], config);
  expect(createManifestDeployer("v0").continuousReconcile?.(parseManifestConfig(spec, "spec.config"))).toEqual(
    expected,
  );
});

import { expect, it } from "@jest/globals";
import { findMeantType } from "./own-deployers.ts";

const group = "landscaper.gardener.cloud";

it.each([
  [`${group}/manifest`, `${group}/kubernetes-manifest`],
  [`${group}/kubernetes-manifests`, `${group}/kubernetes-manifest`],
  [`${group}/helmm`, `${group}/helm`],
  ["landscaper.gardner.cloud/helm", `${group}/helm`],
  [`${group}/conainer`, `${group}/container`],
  [`${group}/helm`, undefined],
  [`${group}/terraform`, undefined],
  ["example.org/helm", undefined],
  ["", undefined],
])("suggests for the type %j of a DeployItem: %j", (type, meant) => {
  expect(findMeantType(type)).toBe(meant);
});

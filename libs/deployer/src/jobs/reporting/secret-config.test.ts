import { expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import { maskSettings } from "./secret-config.ts";

function itemWith(sensitive: Readonly<Record<string, string>>): DeployItem {
  const config = {
    chart: { ref: "registry.example/hunter-two/app:1" },
    exports: { exports: [{ key: "e", jsonPath: ".data.hunter-three" }] },
    values: { user: "shop" },
    manifests: [{ manifest: { data: { user: "shop" } } }],
  };
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", annotations: sensitive },
    spec: { type: "t", config },
  };
}

const text = "registry.example/hunter-two/app:1 has no .data.hunter-three in shop";

it.each([
  ["/chart/ref", "[...] has no .data.hunter-three in shop"],
  ["/exports/exports/0/jsonPath", "registry.example/hunter-two/app:1 has no [...] in shop"],
  // The deployers of these fields mask them.
  ["/values/user", text],
  ["/manifests/0/manifest/data/user", text],
  ["", text],
])("masks the secret value of %j", (path, want) => {
  expect(maskSettings(itemWith({ [annotations.sensitiveConfig]: JSON.stringify([path]) }))(text)).toBe(want);
});

it("masks nothing without the annotation sensitive-config", () => {
  expect(maskSettings(itemWith({}))(text)).toBe(text);
});

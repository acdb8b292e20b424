import { describe, expect, it } from "@jest/globals";
import { apiVersion, settingsOf } from "../../test/container-bench.ts";
import { parseContainerConfig, warnOfContainerConfig } from "./container-config.ts";
import { mainImage } from "./run/prepare-run.ts";

const configOf = (fields: object) => ({ apiVersion, kind: "ProviderConfiguration", ...fields });

describe("the configuration of a container item", () => {
  it.each<readonly [object, string]>([
    [{ image: "Not an image" }, "spec.config: image: "],
    [
      { image: "http://registry.example.org/tool:1" },
      'spec.config: image: expected an image such as registry.example.org/team/tool:1.0, found a URL; remove "http://"',
    ],
    [{ image: "oci://registry.example.org/tool:1" }, 'found a URL; remove "oci://"'],
    [{ command: "x" }, "spec.config: not a valid ProviderConfiguration: command: expected a list, found a string"],
    [
      { blueprint: { ref: { resourceName: "b" } } },
      "spec.config: blueprint.ref: expected componentDescriptor beside it, which has the resource; found none",
    ],
    [{ blueprint: {} }, "spec.config: blueprint: expected exactly one of ref and inline, found none"],
    [
      { componentDescriptor: { inline: {}, ref: { componentName: "a", version: "1" } } },
      "spec.config: componentDescriptor: expected exactly one of ref and inline, found inline and ref",
    ],
    [
      { retryPolicy: { onPodLoss: true, limit: 11 } },
      "spec.config: not a valid ProviderConfiguration: retryPolicy.limit: ",
    ],
    [
      { resources: { limits: { memory: "64 MB" } } },
      "spec.config: not a valid ProviderConfiguration: resources.limits.memory: expected a quantity such as 100m or 64Mi, found another text",
    ],
  ])("%j is refused", (fields, message) => {
    expect(() => parseContainerConfig(configOf(fields), "spec.config")).toThrow(message);
  });

  it("has nothing of the host: such fields are unknown", () => {
    const config = configOf({ namespace: "kube-system", serviceAccountName: "admin", volumes: [], hostNetwork: true });
    expect(warnOfContainerConfig("spec.config", config).map(({ message }) => message)).toEqual([
      'spec.config: unknown field "namespace"',
      'spec.config: unknown field "serviceAccountName"',
      'spec.config: unknown field "volumes"',
      'spec.config: unknown field "hostNetwork"',
    ]);
  });

  it("warns of a limit without a policy", () => {
    const config = configOf({ retryPolicy: { limit: 3 } });
    expect(warnOfContainerConfig("spec.config", config)).toEqual([
      {
        reason: "WithoutEffect",
        message: 'spec.config: field "retryPolicy.limit" has no effect without "retryPolicy.onPodLoss"',
      },
    ]);
    expect(warnOfContainerConfig("spec.config", configOf({ retryPolicy: { limit: 3, onPodLoss: true } }))).toEqual([]);
  });
});

describe("the image of a program", () => {
  const settings = settingsOf(
    { defaultImage: { image: "default:1", command: ["/d"], args: "-d", imagePullPolicy: "Always" } },
    "pods",
  );

  const digest = `sha256:${"a".repeat(64)}`;
  const other = `sha256:${"b".repeat(64)}`;
  const own = (image: string): object => ({ image, command: [], args: [], imagePullPolicy: "IfNotPresent" });

  it.each<readonly [string, string]>([
    ["own:1", `own:1@${digest}`],
    ["registry.example:5000/team/own", `registry.example:5000/team/own@${digest}`],
    [`own:1@${other}`, `own:1@${other}`],
  ])("%s that a component names is taken by its digest", (image, pinned) => {
    expect(mainImage(parseContainerConfig(configOf({ image }), "spec.config"), settings, digest)).toEqual(own(pinned));
  });

  it.each<readonly [object, object]>([
    [{ image: "own:1" }, own("own:1")],
    [{}, { image: "default:1", command: ["/d"], args: ["-d"], imagePullPolicy: "Always" }],
    [{ args: ["-x"] }, { image: "default:1", command: ["/d"], args: ["-x"], imagePullPolicy: "Always" }],
  ])("is taken from the item, or else from the defaults: %j", (fields, image) => {
    expect(mainImage(parseContainerConfig(configOf(fields), "spec.config"), settings, undefined)).toEqual(image);
  });
});

import { describe, expect, it } from "@jest/globals";
import { warnOfConfiguration } from "./warn-of-configuration.ts";

const kinds = [
  { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha1" },
  { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2" },
  {
    apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
    name: "r",
    namespace: "n",
    chart: { ref: "host/chart:1.0.0" },
  },
];

describe.each(kinds)("the wait for a status in a configuration of $apiVersion", (fields) => {
  it.each<readonly [string, object, string | undefined]>([
    ["has an effect with level kstatus", { level: "kstatus", emptyStatusWait: "1m" }, undefined],
    ["has none without it", { emptyStatusWait: "1m" }, "only level kstatus waits for a status"],
    [
      "has none if nothing is checked",
      { level: "kstatus", disableDefault: true, emptyStatusWait: "1m" },
      "disableDefault is true",
    ],
  ])("%s", (_name, readinessChecks, why) => {
    const config = { kind: "ProviderConfiguration", ...fields, readinessChecks };
    const messages = warnOfConfiguration("spec.config", config).map(({ message }) => message);
    const field = 'spec.config: field "readinessChecks.emptyStatusWait" has no effect';
    expect(messages).toEqual(why === undefined ? [] : [`${field}: ${why}`]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { parseHelmConfig } from "./parse-helm-config.ts";

const parse = (chart: unknown): unknown =>
  parseHelmConfig(
    {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "web",
      namespace: "shop",
      chart,
    },
    "spec.config",
  ).chart;

describe("a timeout", () => {
  const parseOptions = (helmDeploymentConfig: unknown): unknown =>
    parseHelmConfig(
      {
        apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
        kind: "ProviderConfiguration",
        name: "web",
        namespace: "shop",
        chart: { ref: "example.org/web:1" },
        helmDeploymentConfig,
      },
      "spec.config",
    ).remediations;
  const expected = "expected a duration such as 5m30s, or none, found";

  it.each([
    [{ install: { timeout: "5 minutes" } }, `install.timeout: ${expected} "5 minutes": did you mean "5m"?`],
    [{ upgrade: { timeout: "300" } }, `upgrade.timeout: ${expected} a number without a unit`],
    [{ install: { atomic: true, remediation: {}, timeout: "soon" } }, `install.timeout: ${expected} another text`],
    [
      { upgrade: { remediation: {}, timeout: "-5m" } },
      "upgrade.timeout: expected a duration of at least 0, found a negative one",
    ],
  ])("of %j is refused", (config, message) => {
    expect(() => parseOptions(config)).toThrow(new Error(`spec.config: helmDeploymentConfig.${message}`));
  });

  it('of "none" does not limit an attempt', () => {
    expect(parseOptions({ install: { remediation: {}, timeout: "none" } })).toMatchObject({
      install: { timeoutMs: undefined },
    });
  });
});

describe("the source of a chart", () => {
  const helmChartRepo = { helmChartRepoUrl: "https://charts.example.org", helmChartName: "web", helmChartVersion: "1" };

  it.each([
    [{ ref: "example.org/web:1", archive: { raw: "" } }, "archive.raw and ref"],
    [{ archive: { raw: "H4s=", remote: { url: "https://example.org/web.tgz" } } }, "archive.raw and archive.remote"],
    [{ ref: "example.org/web:1", helmChartRepo, resourceRef: "key" }, "ref and helmChartRepo and resourceRef"],
  ])("is refused if a second one would have no effect: %j", (chart, found) => {
    expect(() => parse(chart)).toThrow(
      `spec.config: chart: expected exactly one of archive.raw, archive.remote, ref, helmChartRepo, resourceRef, found ${found}; remove all but one`,
    );
  });

  it.each([
    { ref: "", helmChartRepo, resourceRef: "" },
    { ref: "example.org/web:1", archive: {} },
    { archive: { raw: "H4s=" } },
  ])("may be accompanied by empty ones: %j", (chart) => {
    expect(parse(chart)).toEqual(chart);
  });
});

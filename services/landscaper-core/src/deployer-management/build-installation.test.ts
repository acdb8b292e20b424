import { describe, expect, it } from "@jest/globals";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";
import { buildInstallation } from "./build-installation.ts";

describe("the Installation of a deployer", () => {
  it("has the component, the imports and the mappings of its registration", () => {
    const given = registration("mock", { mappings: { values: "(( chart-values ))" } });
    const template = given.spec.installationTemplate;
    template.componentDescriptor = { ref: { componentName: "example.org/mock", version: "v1" } };
    template.imports = {
      data: [{ name: "chart-values", dataRef: "x" }],
      targets: [
        { name: "cluster", target: "other" },
        { name: "further", target: "t" },
      ],
    };
    const { spec } = buildInstallation({ registration: given, environment: environment("env") }, managementSettings);
    expect(spec.componentDescriptor).toEqual(template.componentDescriptor);
    expect(spec.imports).toEqual({
      data: [{ name: "chart-values", dataRef: "x" }],
      targets: [
        { name: "further", target: "t" },
        { name: "cluster", target: "#env" },
        { name: "landscaperCluster", target: "#mock-env" },
      ],
    });
    expect(spec.importDataMappings?.["values"]).toBe("(( chart-values ))");
  });

  it("evaluates no expression of an Environment: it could read the registration's imports", () => {
    const hostile = environment("env", {
      namespace: "(( chart-values ))",
      targetSelectors: [{ labels: [{ key: "(( chart-values ))", operator: "in", values: ["((!x))", "(( a"] }] }],
    });
    const pair = { registration: registration("mock"), environment: hostile };
    expect(buildInstallation(pair, managementSettings).spec.importDataMappings).toMatchObject({
      releaseNamespace: "((! chart-values ))",
      targetSelectors: [{ labels: [{ key: "((! chart-values ))", operator: "in", values: ["((!!x))", "(( a"] }] }],
    });
  });

  it.each([
    ["none", { mappings: {}, spec: {} }, undefined],
    ["those of the Environment", { mappings: {}, spec: { namespaces: ["one", "two"] } }, ["one", "two"]],
    ["none of an Environment with all", { mappings: {}, spec: { namespaces: ["*"] } }, undefined],
    ["those of its registration", { mappings: { namespaces: ["three"] }, spec: {} }, ["three"]],
    [
      "no other ones than the Environment names",
      { mappings: { namespaces: ["three"] }, spec: { namespaces: ["one"] } },
      ["one"],
    ],
  ])("has as namespaces %s", (_, { mappings, spec }, expected) => {
    const pair = { registration: registration("mock", { mappings }), environment: environment("env", spec) };
    expect(buildInstallation(pair, managementSettings).spec.importDataMappings?.["namespaces"]).toEqual(expected);
  });

  it("has a release name that Helm accepts, also where its own is longer", () => {
    const mapped = (name: string) =>
      buildInstallation({ registration: registration(name), environment: environment("env") }, managementSettings).spec
        .importDataMappings;
    const longest = "a".repeat(54);
    expect(mapped(longest)).toMatchObject({ releaseName: `${"a".repeat(44)}-imxyrybk`, identity: `${longest}-env` });
    expect(mapped("a".repeat(49))).toMatchObject({ releaseName: `${"a".repeat(49)}-env` });
  });
});

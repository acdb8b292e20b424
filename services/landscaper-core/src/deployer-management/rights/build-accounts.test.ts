import { describe, expect, it } from "@jest/globals";
import { environment, managementSettings, registration } from "../../../test/deployer-management.ts";
import { buildBindings } from "./build-accounts.ts";

const settings = { ...managementSettings, leaseNamespace: "leases" };

describe("the bindings of a deployer", () => {
  it.each([
    ...[undefined, ["*"]].map((namespaces): [string[] | undefined, string[]] => [
      namespaces,
      ["ClusterRoleBinding /mock-env landscaper:deployer", "RoleBinding leases/mock-env landscaper:deployer-leases"],
    ]),
    [
      ["one", "two"],
      [
        "RoleBinding one/environment.env.mock landscaper:deployer",
        "RoleBinding two/environment.env.mock landscaper:deployer",
        "RoleBinding leases/mock-env landscaper:deployer-leases",
      ],
    ],
    // Two bindings in one namespace.
    [
      ["leases"],
      [
        "RoleBinding leases/environment.env.mock landscaper:deployer",
        "RoleBinding leases/mock-env landscaper:deployer-leases",
      ],
    ],
  ])("of an Environment with namespaces %j", (namespaces, expected) => {
    const pair = {
      registration: registration("mock"),
      environment: environment("env", namespaces === undefined ? {} : { namespaces }),
    };
    const bindings = buildBindings(pair, settings);
    expect(
      bindings.map(
        ({ kind, metadata: { namespace = "", name }, roleRef }) => `${kind} ${namespace}/${name} ${roleRef.name}`,
      ),
    ).toEqual(expected);
    for (const { subjects, metadata } of bindings) {
      expect(subjects).toEqual([{ kind: "ServiceAccount", name: "environment.env.mock", namespace: "ls-system" }]);
      expect(metadata.labels).toEqual({
        "deployers.landscaper.gardener.cloud/deployer-registration": "mock",
        "deployers.landscaper.gardener.cloud/environment": "env",
      });
    }
  });
});

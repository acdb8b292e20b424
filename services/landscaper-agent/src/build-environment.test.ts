import { describe, expect, it } from "@jest/globals";
import type { TargetSelector } from "@landscaper/api";
import { agentSettings } from "../test/agent-settings.ts";
import { readSettings } from "./agent-settings.ts";
import { buildEnvironment, findRefusedNamespaces, hasRefusedSelectors } from "./build-environment.ts";

const settings = agentSettings({ environment: "env" });
const place = { settings, hostCluster: "uid-1", sealingKey: "public" };

describe("the Environment of an agent", () => {
  it("has no credentials: those of the host are in a Secret there", () => {
    expect(buildEnvironment(place, undefined)).toEqual({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Environment",
      metadata: { name: "env", finalizers: ["finalizer.agent.landscaper.gardener.cloud"] },
      spec: {
        hostTarget: {
          type: "landscaper.gardener.cloud/kubernetes-cluster",
          annotations: { "landscaper.gardener.cloud/environment": "env" },
          config: {
            kubeconfig: {
              secretRef: { key: "kubeconfig", name: "env-target-access", namespace: "deployers", cluster: "uid-1" },
            },
          },
        },
        namespace: "deployers",
        landscaperClusterConfig: {
          host: "https://landscaper.example",
          apiPath: "/sub",
          insecure: false,
          caData: Buffer.from("PEM").toString("base64"),
        },
        targetSelectors: [
          { targets: [{ name: "env", namespace: "" }] },
          { annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "=", values: ["env"] }] },
        ],
        sealingKey: "public",
        namespaces: ["tenant"],
      },
    });
  });

  it.each([
    ["a server that is not checked", { insecureSkipTlsVerify: true }, { apiPath: "", insecure: true, caData: "" }],
    [
      "a name in the certificate",
      { tlsServerName: "n" },
      { apiPath: "", insecure: false, serverName: "n", caData: "" },
    ],
    [
      "a proxy",
      { proxyUrl: "http://proxy.example:3128" },
      { apiPath: "", insecure: false, caData: "", proxyURL: "http://proxy.example:3128" },
    ],
    [
      "no proxy with a password",
      { proxyUrl: "http://me:secret@proxy.example:3128" },
      { apiPath: "", insecure: false, caData: "" },
    ],
  ])("says how the agent reaches the landscaper cluster: %s", (_, fields, want) => {
    const landscaper = { server: "https://landscaper.example:6443", ...fields };
    const { landscaperClusterConfig } = buildEnvironment(
      { ...place, settings: { ...settings, landscaper } },
      undefined,
    ).spec;
    expect(landscaperClusterConfig).toEqual({ host: "https://landscaper.example:6443", ...want });
  });

  it("keeps what else there is of an Environment, and its other finalizers", () => {
    const existing = buildEnvironment(place, undefined);
    const metadata = { ...existing.metadata, labels: { own: "label" }, finalizers: ["other"], resourceVersion: "7" };
    const status = { phase: "Succeeded" as const };
    expect(buildEnvironment(place, { ...existing, metadata, status })).toEqual({
      ...existing,
      status,
      metadata: { ...metadata, finalizers: ["other", "finalizer.agent.landscaper.gardener.cloud"] },
    });
  });

  it("stays suspended when a user has suspended it", () => {
    const first = buildEnvironment(place, undefined);
    const suspended = { ...first, spec: { ...first.spec, suspend: true } };
    expect(buildEnvironment(place, suspended).spec).toEqual(suspended.spec);
  });
});

describe("the namespaces of the Environment of an agent", () => {
  it.each<[string, { readonly configured?: string[]; readonly there?: string[] }, string[] | undefined, string[]]>([
    ["stay all without a list on either side", {}, undefined, []],
    ["are those of the configuration", { configured: ["a", "b"] }, ["a", "b"], []],
    ["are left to users without configuration", { there: ["a"] }, ["a"], []],
    ["become fewer by the configuration", { configured: ["b"], there: ["a", "b"] }, ["b"], []],
    ["become no more by the configuration", { configured: ["a", "b"], there: ["b"] }, ["b"], ["a"]],
    ["stay when none would be left", { configured: ["a"], there: ["b"] }, ["b"], ["a"]],
    ["stay all without configuration", { there: ["*"] }, ["*"], []],
    ["become fewer than all by the configuration", { configured: ["a"], there: ["*"] }, ["a"], []],
    ["become not all by the configuration", { configured: ["*"], there: ["a"] }, ["a"], ["*"]],
    ["are not written when both sides mean all", { configured: ["*"] }, undefined, []],
  ])("%s", (...[, { configured, there }, expected, refused]) => {
    const given = { ...settings, namespaces: configured };
    const { spec, ...first } = buildEnvironment({ ...place, settings }, undefined);
    const { namespaces: _, ...rest } = spec;
    const existing = { ...first, spec: there === undefined ? rest : { ...rest, namespaces: there } };
    expect(buildEnvironment({ ...place, settings: given }, existing).spec.namespaces).toEqual(expected);
    expect(findRefusedNamespaces(given, existing)).toEqual(refused);
  });

  it.each([[["a"]], [["*"]]])(
    "equal the list of the configuration when the agent creates the Environment: %j",
    (namespaces) => {
      const { spec } = buildEnvironment({ ...place, settings: { ...settings, namespaces } }, undefined);
      expect(spec.namespaces).toEqual(namespaces);
    },
  );
});

const environmentKey = "landscaper.gardener.cloud/environment";
const byName = { targets: [{ name: "env", namespace: "" }] };
const byAnnotation = { annotations: [{ key: environmentKey, operator: "in", values: ["env"] }] };
const withoutAnnotation = { annotations: [{ key: environmentKey, operator: "!" }] };

describe("the selectors of an existing Environment of an agent", () => {
  it.each<[string, readonly TargetSelector[] | undefined, readonly TargetSelector[], boolean]>([
    ["stay without configuration", undefined, [withoutAnnotation], false],
    ["become those of the configuration for its own Targets", [byAnnotation], [byAnnotation], false],
    [
      "may have further conditions",
      [{ ...byName, labels: [{ key: "a", operator: "exists" }] }],
      [{ ...byName, labels: [{ key: "a", operator: "exists" }] }],
      false,
    ],
    ["stay if the configuration selects all Targets", [], [withoutAnnotation], true],
    ["stay if the configuration selects other Targets", [byName, withoutAnnotation], [withoutAnnotation], true],
    ["are not refused if they are those of the configuration", [withoutAnnotation], [withoutAnnotation], false],
  ])("%s", (...[, targetSelectors, expected, isRefused]) => {
    const given = { ...settings, targetSelectors };
    const first = buildEnvironment({ ...place, settings }, undefined);
    const existing = { ...first, spec: { ...first.spec, targetSelectors: [withoutAnnotation] } };
    expect(buildEnvironment({ ...place, settings: given }, existing).spec.targetSelectors).toEqual(expected);
    expect(hasRefusedSelectors(given, existing)).toBe(isRefused);
  });

  it("are those of the configuration if the host is the landscaper cluster", () => {
    const given = { ...settings, targetSelectors: [withoutAnnotation], hostIsLandscaperCluster: true };
    const existing = buildEnvironment({ ...place, settings }, undefined);
    expect(buildEnvironment({ ...place, settings: given }, existing).spec.targetSelectors).toEqual([withoutAnnotation]);
    expect(hasRefusedSelectors(given, existing)).toBe(false);
  });

  it("do not matter for a new one, which only agents of the hub create", () => {
    const given = { ...settings, targetSelectors: [withoutAnnotation] };
    expect(buildEnvironment({ ...place, settings: given }, undefined).spec.targetSelectors).toEqual([
      withoutAnnotation,
    ]);
    expect(hasRefusedSelectors(given, undefined)).toBe(false);
  });
});

describe("the settings of an agent", () => {
  const connections = {
    landscaper: { server: "https://l.example", token: "hunter2" },
    host: { server: "https://h.example" },
  };

  it("take the selectors of the configuration, also an empty list", () => {
    const read = (targetSelectors: readonly object[] | undefined) =>
      readSettings(
        {
          name: "e",
          namespace: "n",
          landscaperNamespace: "l",
          ...(targetSelectors && { targetSelectors: [...targetSelectors] }),
        },
        connections,
      );
    expect(read([]).targetSelectors).toEqual([]);
    expect(read(undefined).targetSelectors).toBeUndefined();
  });

  it("have no credentials", () => {
    expect(
      JSON.stringify(readSettings({ name: "e", namespace: "n", landscaperNamespace: "l" }, connections)),
    ).not.toContain("hunter2");
  });

  it.each(["", "Upper", "a.b", "-a", "a".repeat(57)])("refuse the name %j", (name) => {
    expect(() => readSettings({ name, namespace: "n", landscaperNamespace: "l" }, connections)).toThrow(
      `name: expected a DNS label of at most 56 characters (lower-case letters, digits and -), found ${JSON.stringify(name)}`,
    );
  });

  it('refuse "*" beside names of namespaces', () => {
    const given = { name: "e", namespace: "n", landscaperNamespace: "l", namespaces: ["*", "team-a"] };
    expect(() => readSettings(given, connections)).toThrow(
      'namespaces: expected names, or ["*"] alone for all namespaces, found ["*","team-a"]',
    );
  });
});

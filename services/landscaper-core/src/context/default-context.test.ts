import { describe, expect, it } from "@jest/globals";
import { apiVersion, kubeResources, resources, type Context } from "@landscaper/api";
import { setUpCore } from "../../test/set-up.ts";
import { makesDefaultContext, planDefaultContext } from "./default-context-reconciler.ts";

const repositoryContext = { type: "ociRegistry", baseUrl: "example.com" };
const settings = { isEnabled: true, excludedNamespaces: ["kube-system"], repositoryContext };
const existing: Context = {
  apiVersion,
  kind: "Context",
  metadata: { name: "default", namespace: "ns" },
  registryPullSecrets: [{ name: "mine" }],
};

describe("the default Context (core.md §1.4 no. 81, §4.60)", () => {
  it("is made with the configured repository", () => {
    expect(planDefaultContext(settings, "ns", undefined)).toEqual({
      apiVersion,
      kind: "Context",
      metadata: { name: "default", namespace: "ns" },
      repositoryContext,
    });
  });

  it("gets the configured repository; what users have added stays", () => {
    expect(planDefaultContext(settings, "ns", existing)).toEqual({ ...existing, repositoryContext });
    expect(planDefaultContext(settings, "ns", { ...existing, repositoryContext })).toBeUndefined();
  });

  it("is left alone without a configured repository", () => {
    const own = { ...existing, repositoryContext: { type: "other" } };
    expect(planDefaultContext({ ...settings, repositoryContext: undefined }, "ns", own)).toBeUndefined();
  });

  it("is not made in excluded namespaces, nor when it is disabled", () => {
    expect(makesDefaultContext(settings, "ns")).toBe(true);
    expect(makesDefaultContext(settings, "kube-system")).toBe(false);
    expect(makesDefaultContext({ ...settings, isEnabled: false }, "ns")).toBe(false);
  });
});

describe("the context controller", () => {
  const setUp = setUpCore({ defaultContext: settings });

  it("makes a Context in every namespace, and again when it is deleted (core.md §5.25)", async () => {
    const namespace = await setUp.namespace("with-context");
    const made = await namespace.until(resources.context, "default", (found) => found !== undefined);
    expect(made?.repositoryContext).toEqual(repositoryContext);
    await namespace.delete(resources.context, "default");
    await namespace.until(
      resources.context,
      "default",
      (found) => found !== undefined && found.metadata.uid !== made?.metadata.uid,
    );
    // Namespaces that were there before, but not the excluded one.
    const { items } = await setUp.cluster.client.list(resources.context);
    const namespaces = (await setUp.cluster.client.list(kubeResources.namespace)).items.map(
      ({ metadata }) => metadata.name ?? "",
    );
    expect(namespaces).toContain("kube-system");
    expect(items.map(({ metadata }) => metadata.namespace ?? "").toSorted()).toEqual(
      namespaces.filter((name) => name !== "kube-system").toSorted(),
    );
  });
});

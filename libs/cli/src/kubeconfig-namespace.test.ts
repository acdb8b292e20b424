import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeconfigNamespace } from "./kubeconfig-namespace.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  const contexts = "contexts:\n- {name: a, context: {namespace: one}}\n- {name: b, context: {cluster: x}}\n";
  writeFileSync(join(folder, "first"), `${contexts}current-context: a\n`);
  writeFileSync(join(folder, "second"), "contexts: [{name: c, context: {namespace: three}}]\ncurrent-context: c\n");
  writeFileSync(join(folder, "broken"), "contexts: [\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("kubeconfigNamespace", () => {
  it.each([
    ["the current context", { name: "first", context: undefined }, "one"],
    ["a context without namespace", { name: "first", context: "b" }, undefined],
    ["a context that is not there", { name: "first", context: "z" }, undefined],
    ["a file that is none", { name: "broken", context: undefined }, undefined],
    ["no file", { name: "none", context: undefined }, undefined],
  ])("takes it from %s", (_, { name, context }, namespace) => {
    expect(kubeconfigNamespace({ file: join(folder, name), context, environment: {} })).toBe(namespace);
  });

  it("looks into all files of KUBECONFIG, and at home without one", () => {
    const files = ["broken", "first", "second"].map((name) => join(folder, name)).join(delimiter);
    const of = (context: string | undefined, environment: Readonly<Record<string, string>>): string | undefined =>
      kubeconfigNamespace({ file: undefined, context, environment });
    expect([of(undefined, { KUBECONFIG: files }), of("c", { KUBECONFIG: files })]).toEqual(["one", "three"]);
    expect(of(undefined, { HOME: folder })).toBeUndefined();
  });
});

import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { compareObjects } from "./compare-objects.ts";
import { formatPlan } from "./format-plan.ts";

function object(kind: string, name: string, more: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "ns" }, ...more };
}

describe("compareObjects", () => {
  it("tells what comes, changes, goes and stays", async () => {
    const before = [
      object("ConfigMap", "same", { data: { a: "1" } }),
      object("ConfigMap", "other", { data: { a: "1" } }),
      object("Service", "gone"),
    ];
    const after = [
      object("ConfigMap", "other", { data: { a: "2", b: "3" } }),
      object("ConfigMap", "same", { data: { a: "1" } }),
      object("Service", "new", { spec: { type: "ClusterIP" } }),
    ];
    expect(formatPlan(await compareObjects(before, after))).toBe(`update ConfigMap ns/other
  ~ .data.a: "1" -> "2"
  + .data.b: "3"
create Service ns/new
  + .spec.type: "ClusterIP"
delete Service ns/gone
1 to create, 1 to update, 1 to delete, 1 unchanged
`);
  });

  it("takes another version of the same kind for the same object, and for a change", async () => {
    const before = { ...object("Ingress", "web"), apiVersion: "networking.k8s.io/v1beta1" };
    const after = { ...object("Ingress", "web"), apiVersion: "networking.k8s.io/v1" };
    expect(await compareObjects([before], [after])).toEqual([
      {
        resource: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "web", namespace: "ns" },
        type: "update",
        fields: [],
      },
    ]);
  });

  it("shows nothing that Secrets hold, also where another object repeats it", async () => {
    const before = [object("Secret", "login", { stringData: { key: "old-horse" } })];
    const after = [
      object("Secret", "login", { stringData: { key: "new-horse" } }),
      object("ConfigMap", "copy", { data: { key: "new-horse" } }),
    ];
    const text = formatPlan(await compareObjects(before, after));
    expect(text).toContain('~ .stringData.key: "(masked)" -> "(masked)"');
    expect(text).not.toMatch(/old-horse|new-horse/);
  });

  it("has nothing to do where there is nothing", async () => {
    expect(await compareObjects([], [])).toEqual([]);
  });
});

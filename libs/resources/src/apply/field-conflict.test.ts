import { describe, expect, it } from "@jest/globals";
import { ApiError } from "@landscaper/controller-runtime";
import { fieldConflictError, findFieldConflicts, type FieldConflict } from "./field-conflict.ts";

const reference = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n" };

function conflictWith(...causes: readonly { reason?: string; message?: string; field?: string }[]): ApiError {
  const statusObject = { reason: "Conflict", message: "Apply failed", details: { causes: [...causes] } };
  return new ApiError({ method: "PATCH", path: "/" }, { status: 409, statusObject });
}

const reason = "FieldManagerConflict";

describe("findFieldConflicts", () => {
  const rows: readonly (readonly [name: string, error: unknown, conflicts: readonly FieldConflict[]])[] = [
    [
      "an applier",
      conflictWith({ reason, message: 'conflict with "one"', field: ".data.x" }),
      [{ field: ".data.x", manager: "one" }],
    ],
    [
      "an updater, with version and time",
      conflictWith({
        reason,
        message:
          'conflict with "kube-controller-manager" with subresource "scale" using apps/v1 at 2026-01-01T00:00:00Z',
        field: ".spec.replicas",
      }),
      [{ field: ".spec.replicas", manager: "kube-controller-manager" }],
    ],
    [
      "a name with quotes",
      conflictWith({ reason, message: 'conflict with "a \\"b\\"" using v1', field: ".f" }),
      [{ field: ".f", manager: 'a "b"' }],
    ],
    [
      "a text of another form",
      conflictWith({ reason, message: "conflict with somebody", field: ".f" }),
      [{ field: ".f", manager: "somebody" }],
    ],
    [
      "an item of a list, named by its value",
      conflictWith({ reason, message: 'conflict with "m"', field: '.spec.hosts[="sentinel ]"].a[name="b"]' }),
      [{ field: '.spec.hosts[=[...]].a[name="b"]', manager: "m" }],
    ],
    ["a lost race", conflictWith(), []],
    ["another cause", conflictWith({ reason: "Other", message: "m" }), []],
    ["another error", new Error("e"), []],
  ];
  it.each(rows)("%s", (_name, error, conflicts) => {
    expect(findFieldConflicts(error)).toEqual(conflicts);
  });
});

describe("fieldConflictError", () => {
  it("names managers and fields", () => {
    const conflicts = [
      { manager: "kubectl", field: ".data.x" },
      { manager: "hpa", field: ".spec.replicas" },
      { manager: "kubectl", field: ".data.y" },
    ];
    expect(fieldConflictError(reference, conflicts)).toMatchObject({
      message: "apply ConfigMap n/a: kubectl manages .data.x, .data.y; hpa manages .spec.replicas",
      reason: "FieldConflict",
      retry: "never",
    });
  });

  it("names ten fields at most", () => {
    const conflicts = Array.from({ length: 12 }, (_, index) => ({ manager: "m", field: `.f${index}` }));
    expect(fieldConflictError(reference, conflicts).message).toMatch(/ \.f9; and 2 more fields$/);
  });
});

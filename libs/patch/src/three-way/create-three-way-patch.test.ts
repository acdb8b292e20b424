import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { applyMergePatch } from "../merge-patch.ts";
import { applyStrategicMergePatch } from "../strategic-merge-patch.ts";
import { createThreeWayPatch, type ThreeStates } from "./create-three-way-patch.ts";

interface RecordedCase extends ThreeStates {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly want: unknown;
}

const file = join(import.meta.dirname, "../../testdata/three-way-patch.json");
const recorded = JSON.parse(readFileSync(file, "utf8")) as RecordedCase[];

const deployment = { apiVersion: "apps/v1", kind: "Deployment" };
const custom = { apiVersion: "example.org/v1", kind: "Example" };

describe("createThreeWayPatch", () => {
  it.each(recorded)("makes of the live object what the Kubernetes library makes of it: $name", (item) => {
    const before = structuredClone(item);
    const { type, body } = createThreeWayPatch(item, item);
    const apply = type === "merge" ? applyMergePatch : applyStrategicMergePatch;
    expect(apply(item.current, body, item)).toEqual(item.want);
    expect(item).toEqual(before);
  });

  it.each([
    ["sets what is otherwise", { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }],
    ["sets what somebody changed", { a: 1 }, { a: 1 }, { a: 3 }, { a: 1 }],
    ["keeps what others have added", { a: 1 }, { a: 1 }, { a: 1, b: 1 }, {}],
    ["removes what has left", { a: 1, b: 1 }, { a: 1 }, { a: 1, b: 1 }, { b: null }],
    ["removes what has left although somebody changed it", { b: 1 }, {}, { b: 2 }, { b: null }],
    ["does not remove what is not there", { a: { b: 1 }, c: 1 }, { a: {} }, { a: {} }, {}],
    ["does not set what is so", { a: [1, { b: 1 }] }, { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
  ])("%s", (...[, original, modified, current, body]) => {
    const states = { original: { spec: original }, modified: { spec: modified }, current: { spec: current } };
    const expected = Object.keys(body).length === 0 ? {} : { spec: body };
    expect(createThreeWayPatch(states, custom)).toEqual({ type: "merge", body: expected });
    expect(createThreeWayPatch(states, deployment)).toEqual({ type: "strategic", body: expected });
  });

  it("merges lists by their keys", () => {
    const spec = (...containers: unknown[]) => ({ spec: { template: { spec: { containers } } } });
    const states = {
      original: spec({ name: "a", image: "a:1", args: ["x"] }, { name: "gone", image: "g" }),
      modified: spec({ name: "a", image: "a:2" }, { name: "new", image: "n" }),
      current: spec(
        { name: "injected", image: "i" },
        { name: "a", image: "a:1", args: ["x"] },
        { name: "gone", image: "g" },
      ),
    };
    const { type, body } = createThreeWayPatch(states, deployment);
    expect({ type, body }).toEqual({
      type: "strategic",
      body: {
        spec: {
          template: {
            spec: {
              "$setElementOrder/containers": [{ name: "a" }, { name: "new" }],
              containers: [
                { name: "a", image: "a:2", args: null },
                { name: "new", image: "n" },
                { name: "gone", $patch: "delete" },
              ],
            },
          },
        },
      },
    });
  });

  it("clears the other kinds of a volume", () => {
    const spec = (volume: unknown) => ({ spec: { template: { spec: { volumes: [volume] } } } });
    const states = {
      original: spec({ name: "v", emptyDir: {} }),
      modified: spec({ name: "v", secret: { secretName: "s" } }),
      current: spec({ name: "v", hostPath: { path: "/" } }),
    };
    const { body } = createThreeWayPatch(states, deployment);
    expect(applyStrategicMergePatch(states.current, body, deployment)).toEqual(states.modified);
  });

  it("takes no field for one of the prototype", () => {
    const states = { original: {}, modified: JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'), current: {} };
    const { body } = createThreeWayPatch(states, custom);
    expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"constructor":1}');
  });
});

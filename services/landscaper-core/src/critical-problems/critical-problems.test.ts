import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LandscaperError, resources, type CriticalProblems } from "@landscaper/api";
import { createManager, type Client } from "@landscaper/controller-runtime";
import { createTestLogger, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { dataObject } from "../../test/objects.ts";
import { addProblem, describeFault, isFault } from "./add-problem.ts";
import { reportProblems } from "./report-problems.ts";

const at = new Date("2026-06-01T00:00:00Z");
const problem = (description: string) => ({ podName: "core-0", at, description });

describe("critical problems (core.md §1.1 no. 24)", () => {
  it("are noted with pod and time, the latest ten of them", () => {
    let object: CriticalProblems | undefined;
    for (let number = 1; number <= 12; number += 1) object = addProblem(object, "ls-system", problem(`p${number}`));
    expect(object?.metadata).toEqual({ name: "critical-problems", namespace: "ls-system" });
    expect(object?.spec.criticalProblem).toHaveLength(10);
    expect(object?.spec.criticalProblem?.[0]).toEqual({
      podName: "core-0",
      creationTime: "2026-06-01T00:00:00Z",
      description: "p3",
    });
    expect(object?.spec.criticalProblem?.at(-1)?.description).toBe("p12");
  });

  it("are faults of the code, not of what it was given", () => {
    const faults = [new TypeError("x"), new RangeError("x"), new ReferenceError("x")];
    const others = [
      new Error("x"),
      new SyntaxError("x"),
      new LandscaperError({ message: "x", reason: "InternalError" }),
      "x",
    ];
    expect(faults.filter((error) => !isFault(error))).toEqual([]);
    expect(others.filter(isFault)).toEqual([]);
  });

  it("say where, without what stood there", () => {
    const error = new TypeError("cannot read x of 'hunter2'");
    error.stack = "TypeError: cannot read\nsecret: value\n    at f (a.ts:1:2)\n    at g (b.ts:3:4)";
    expect(describeFault(error, { controller: "executions", object: "ns/root" })).toBe(
      "executions ns/root: TypeError: cannot read x of [...]\n    at f (a.ts:1:2)\n    at g (b.ts:3:4)",
    );
  });
});

describe("a controller with a fault", () => {
  let cluster: EmbeddedCluster;
  let client: Client;
  const stop = new AbortController();
  let running: Promise<void>;
  const calls: string[] = [];
  const log = createTestLogger();
  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true });
    client = cluster.connect("core");
    const manager = createManager({ name: "test", client, log });
    reportProblems(manager, { name: "core-0", namespace: "ls-system", client }).addController({
      name: "data",
      for: resources.dataObject,
      reconcile: ({ name }) => {
        calls.push(name);
        if (name === "bad") throw new TypeError("cannot read it");
        if (name === "user") throw new LandscaperError({ message: "x", reason: "InvalidInput", retry: "never" });
        return Promise.resolve(undefined);
      },
    });
    running = manager.start(stop.signal);
  });
  afterAll(async () => {
    stop.abort(new Error("stop"));
    await running;
    await cluster.stop();
  });

  it("tells of it once, lets the object rest, and goes on with others", async () => {
    const hub = await cluster.createNamespace("ls-system");
    await hub.create(resources.dataObject, dataObject("bad", 1));
    const stored = await hub.until(resources.criticalProblems, "critical-problems", (found) => found !== undefined);
    for (const name of ["user", "good"]) await hub.create(resources.dataObject, dataObject(name, 1));
    await hub.until(resources.dataObject, "good", () => calls.includes("good"));
    expect(calls).toEqual(["bad", "user", "good"]);
    const [told, ...others] =
      (await hub.get(resources.criticalProblems, "critical-problems")).spec.criticalProblem ?? [];
    expect(others).toEqual([]);
    expect(told).toEqual(stored?.spec.criticalProblem?.[0]);
    expect(told?.podName).toBe("core-0");
    expect(told?.description).toMatch(/^data ls-system\/bad: TypeError: cannot read it\n {4}at /);
  });
});

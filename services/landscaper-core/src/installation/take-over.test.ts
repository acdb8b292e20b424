// Jobs that the original has begun (core.md §3.2): its importsHash cannot be compared with one of ours.
import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { finishItem, untilPicked } from "../../test/behaviours.ts";
import { dataObject, deployItems, installation, stringParameter } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();
const hash = (algorithm: string): string => createHash(algorithm).update("something else").digest("hex");

describe("a job that runs with another importsHash than ours", () => {
  it.each([
    { importsHash: hash("sha1"), phase: "Succeeded", reason: undefined, whose: "the original's" },
    // Ours tells that the imports have changed.
    { importsHash: hash("sha256"), phase: "Failed", reason: "CheckImportsHash", whose: "ours" },
  ])("ends with $phase when it is $whose", async ({ importsHash, phase, reason }) => {
    const namespace = await setUp.namespace(`take-over-${phase.toLowerCase()}`);
    await namespace.create(resources.dataObject, dataObject("value", "one"));
    await namespace.create(
      resources.installation,
      installation({
        name: "root",
        blueprint: { imports: [stringParameter("value")], deploy: deployItems({ name: "item", result: "Hang" }) },
        imports: { data: [{ name: "value", dataRef: "value" }] },
      }),
    );
    await namespace.untilWorking("root");
    await untilPicked(namespace);
    const running = await namespace.get(resources.installation, "root");
    await namespace.client.updateStatus(resources.installation, {
      ...running,
      status: { ...running.status, importsHash },
    });
    await finishItem(namespace);
    const ended = await namespace.untilPhase("root", phase);
    expect(ended.status?.lastError?.reason).toBe(reason);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import type { FaultRequest } from "@landscaper/local-cluster";
import type { TestNamespace } from "@landscaper/testkit";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  trigger,
} from "../test/objects.ts";
import { setUpCore } from "../test/set-up.ts";

const setUp = setUpCore();

/** The Installation of design.md §6: a DataObject import, a Target import, a DeployItem with an export, an exported DataObject. */
const measured = installation({
  name: "root",
  blueprint: {
    imports: [stringParameter("value"), targetParameter("cluster")],
    exports: [stringParameter("value")],
    deploy: deployItems({
      name: "item",
      target: { import: "cluster" },
      export: { value: "x" },
      updateOnChangeOnly: true,
    }),
    export: 'exports: { value: "{{ index .deployitems "item" "value" }}" }\n',
  },
  imports: { data: [{ name: "value", dataRef: "value" }], targets: [{ name: "cluster", target: "cluster" }] },
  exports: { data: [{ name: "value", dataRef: "result" }] },
});

let seen: { readonly userAgent: string; readonly line: string }[] = [];

function lineOf({ verb, resource, subresource }: FaultRequest): string {
  return `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
}

function requestsOf(userAgent: string): string[] {
  return seen.filter((request) => request.userAgent.startsWith(userAgent)).map(({ line }) => line);
}

function isProtection(line: string): boolean {
  return line === "patch targets" || line === "patch contexts";
}

/** Lets the Events of the last job be written before counting starts anew. */
async function settle(namespace: TestNamespace, events: number): Promise<void> {
  const type = { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };
  await namespace.until(type, "none", (found) => {
    void found;
    return requestsOf("core").filter((line) => line === "create events").length >= events;
  });
}

describe("API requests of one Installation and job", () => {
  let namespace: TestNamespace;

  beforeAll(async () => {
    namespace = await setUp.namespace("budget");
    await namespace.until(resources.context, "default", (found) => found !== undefined);
    setUp.cluster.server.setFault((request) => {
      if (request.namespace === "budget" && request.verb !== "watch" && !request.userAgent.startsWith("test")) {
        seen.push({ userAgent: request.userAgent, line: lineOf(request) });
      }
      return undefined;
    });
  });
  afterAll(() => setUp.cluster.server.setFault(undefined));

  it("are at most 30, all services together (design.md §6)", async () => {
    await namespace.create(resources.target, target("cluster"));
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    await namespace.create(resources.installation, measured);
    await namespace.untilPhase("root", "Succeeded");
    await settle(namespace, 2);
    expect(requestsOf("core").filter((line) => line !== "create events" && !isProtection(line))).toEqual([
      "get dataobjects",
      "get targets",
      "update installations/status", // job
      "patch installations", // finalizer, context, annotation
      "create dataobjects",
      "create targets",
      "create executions",
      "update executions/status", // job
      "create deployitems",
      "update deployitems/status", // job
      "get secrets",
      "create dataobjects", // exports of the items
      "update executions/status", // finish
      "create dataobjects", // export
      "update installations/status", // finish
    ]);
    // The start and the end of the Installation's job, and the end of the Execution's.
    expect(requestsOf("core").filter((line) => line === "create events")).toHaveLength(3);
    // Once for each Target and Context, in the background.
    expect(requestsOf("core").filter(isProtection).toSorted()).toEqual(["patch contexts", "patch targets"]);
    // The user's two writes count, the deployer's are those of its own library.
    expect(2 + requestsOf("core").length + requestsOf("deployer").length).toBeLessThanOrEqual(30);
  });

  it("of a job that changes nothing are few", async () => {
    seen = [];
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    await settle(namespace, 2);
    expect(requestsOf("core").toSorted()).toEqual(
      [
        "update installations/status",
        "patch installations",
        "get dataobjects",
        "get targets",
        "update executions/status",
        "update deployitems/status",
        "get secrets",
        "update executions/status",
        "update installations/status",
        "create events",
        "create events",
      ].toSorted(),
    );
  });
});

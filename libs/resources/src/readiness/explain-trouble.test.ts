import { beforeEach, describe, expect, it } from "@jest/globals";
import { mapTexts, type UnstructuredObject } from "@landscaper/api";
import { ApiError, type Client } from "@landscaper/controller-runtime";
import { secretsAt } from "../cluster/sent-secrets.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { explainTrouble } from "./explain-trouble.ts";
import { remedies } from "./remedies.ts";
import { WorkloadTroubles } from "./workload-troubles.ts";

const { signal } = new AbortController();
let asked: string[] = [];
let log: string | undefined;

beforeEach(() => {
  asked = [];
  log = "one\ntwo\nthree\nfour\nfive\nsix";
});

/** A target that answers with a log alone. */
function createCluster(): TargetCluster {
  const client = {
    request: ({ path }: { path: string }) => {
      asked.push(path);
      if (log === undefined) throw new ApiError({ method: "GET", path }, { status: 403, statusObject: {} });
      return Promise.resolve(log.split("\n").slice(-5).join("\n"));
    },
    mask: <T>(value: T): T => mapTexts(value, (text) => text.replaceAll("token-of-the-connection", "[...]")),
  } as unknown as Client;
  const discovery = { find: never, locate: never, forget: never } as unknown as TargetCluster["discovery"];
  return { client, discovery, sentSecrets: secretsAt([], ["hidden-image"]) };
}

function never(): never {
  throw new Error("not expected");
}

function podWith(states: object, image = "app:1"): UnstructuredObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "n", uid: "u", resourceVersion: "1" },
    spec: { containers: [{ name: "main", image }] },
    status: { containerStatuses: [{ name: "main", ready: false, ...states }] },
  };
}

const crashing = podWith({
  state: { waiting: { reason: "CrashLoopBackOff" } },
  lastState: { terminated: { exitCode: 2, reason: "Error" } },
});

describe("explainTrouble", () => {
  const trouble = {
    text: "container main: CrashLoopBackOff",
    remedy: remedies.crash,
    log: { container: "main", previous: true },
  };

  it("ends with at most five lines of the log of the container that has crashed", async () => {
    const found = await explainTrouble(
      { trouble, pod: crashing, live: crashing },
      { cluster: createCluster(), signal },
    );
    expect(found).toEqual({
      text: "container main: CrashLoopBackOff; its log ends with: two | three | four | five | six",
      remedy: remedies.crash,
    });
    expect(asked).toEqual([expect.stringContaining("container=main&previous=true&tailLines=5&")]);
  });

  it("masks secrets of the item in the log, and replaces control characters of the direction of text", async () => {
    log = "no user \u202ehunter-two\u2028for hunter-two";
    const cluster = { ...createCluster(), itemSecrets: ["hunter-two"] };
    const found = await explainTrouble({ trouble, pod: crashing, live: crashing }, { cluster, signal });
    expect(found.text).toMatch(/its log ends with: no user {2}\[...\] for \[...\]$/);
  });

  it("omits the line that the server has cut, because it may end with half a secret", async () => {
    log = `complete\n${"x".repeat(65_536 - 15)}hunter`;
    const cluster = { ...createCluster(), itemSecrets: ["hunter-two"] };
    const found = await explainTrouble({ trouble, pod: crashing, live: crashing }, { cluster, signal });
    expect(found.text).toMatch(/its log ends with: complete$/);
  });

  it("says so if the log cannot be read", async () => {
    log = undefined;
    const found = await explainTrouble(
      { trouble, pod: crashing, live: crashing },
      { cluster: createCluster(), signal },
    );
    expect(found.text).toBe("container main: CrashLoopBackOff; its log cannot be read");
  });

  it.each([
    ["registry.example/app:9", "container main: ImagePullBackOff: image registry.example/app:9"],
    ["hidden-image", "container main: ImagePullBackOff"],
  ])("names the image %s unless it is secret", async (image, text) => {
    const live = podWith({ state: { waiting: { reason: "ImagePullBackOff" } } }, image);
    const { found } = await new WorkloadTroubles().of(live, { cluster: createCluster(), elapsedMs: 0, signal });
    expect(found).toEqual({ text, remedy: remedies.image });
  });
});

it("reads the log of a Pod once for each of its versions", async () => {
  const troubles = new WorkloadTroubles();
  const cluster = createCluster();
  const look = async (resourceVersion: string): Promise<string | undefined> => {
    const live = { ...crashing, metadata: { ...crashing.metadata, resourceVersion } };
    return (await troubles.of(live, { cluster, elapsedMs: 0, signal })).found?.text;
  };
  expect(await look("1")).toMatch(/its log ends with: two .* six$/);
  log = "other";
  expect(await look("1")).toMatch(/six$/);
  expect(await look("2")).toMatch(/its log ends with: other$/);
  expect(asked).toHaveLength(2);
});

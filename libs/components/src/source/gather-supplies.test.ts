import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ComponentRequest, ContentRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import type { ComponentFetcher } from "./component-source.ts";
import { gatherSupplies, type GatherOptions } from "./gather-supplies.ts";
import { hostOfRequest } from "./host-of-request.ts";

const requests = (count: number): readonly ComponentRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    type: "descriptor",
    component: { name: `example.com/c${index}`, version: "1.0.0" },
    context: { type: "OCIRegistry", baseUrl: "https://registry.example/team" },
  }));
const contentRequest: ContentRequest = {
  type: "content",
  component: { name: "example.com/c", version: "1.0.0" },
  context: { type: "OCIRegistry", baseUrl: "https://registry.example/team" },
  resource: "note",
  access: { kind: "none" },
  digest: undefined,
  use: "content",
};
const supplyOf = (bytes: number): Supply => ({ bytes: new Uint8Array(bytes), digest: "", mediaType: "", where: "" });

interface Gathered {
  readonly supplies: Map<string, Supply>;
  readonly most: number;
}

interface Gathering extends Partial<Pick<GatherOptions, "signal">>, Partial<ComponentFetcher> {
  readonly limits?: GatherOptions["limits"];
}

async function gather(count: number, { limits, ...given }: Gathering = {}): Promise<Gathered> {
  const { fetch = async () => supplyOf(1), signal = new AbortController().signal } = given;
  const supplies = new Map<string, Supply>();
  let running = 0;
  let most = 0;
  const fetcher: ComponentFetcher = {
    fetch: async (request, options) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return await fetch(request, options);
      } finally {
        running -= 1;
      }
    },
  };
  await gatherSupplies(requests(count), { fetcher, supplies, signal, limits });
  return { supplies, most };
}

const untilAborted: ComponentFetcher["fetch"] = async (_request, { signal }) => {
  await sleep(60_000, undefined, { signal });
  return supplyOf(1);
};

describe("gathering what a rendering lacks", () => {
  it("fetches a few at a time", async () => {
    const { supplies, most } = await gather(20, { limits: { concurrency: 3 } });
    expect([supplies.size, most]).toEqual([20, 3]);
  });

  it("ends when it takes too long, with what was not answered, and may be tried again", async () => {
    await expect(gather(1, { limits: { timeoutMs: 20 }, fetch: untilAborted })).rejects.toMatchObject({
      reason: "RegistryUnreachable",
      retry: "backoff",
      message: "component example.com/c0:1.0.0: no complete answer from registry.example within 0.02 s",
    });
    const fetch: ComponentFetcher["fetch"] = async (request, options) =>
      request.component.name === "example.com/c0" ? supplyOf(1) : await untilAborted(request, options);
    await expect(gather(4, { limits: { timeoutMs: 20 }, fetch })).rejects.toMatchObject({
      message:
        "component example.com/c1:1.0.0: no complete answer from registry.example within 0.02 s, nor one to 2 other requests of the job",
    });
  });

  it.each<[string, Partial<ContentRequest>, string | undefined]>([
    ["of an artifact", { access: { kind: "artifact", reference: "other.example:5000/app:1" } }, "other.example:5000"],
    ["beside the component", { access: { kind: "local", reference: "a", mediaType: undefined } }, "registry.example"],
    ["of a repository of the OCM configuration", { context: undefined }, undefined],
    ["of a repository in files", { context: { type: "local", filePath: "a" } }, undefined],
    ["of a repository that is none", { context: { type: "S3" } }, undefined],
  ])("knows the host of content %s", (_title, given, host) => {
    expect(hostOfRequest({ ...contentRequest, ...given })).toBe(host);
  });

  it("ends with the reason of the signal", async () => {
    const abort = new AbortController();
    const gathering = gather(2, { fetch: untilAborted, signal: abort.signal });
    abort.abort(new Error("interrupted"));
    await expect(gathering).rejects.toThrow("interrupted");
  });

  it("ends all requests with the first that fails", async () => {
    const ended: string[] = [];
    const fetch: ComponentFetcher["fetch"] = async (request, options) => {
      if (request.component.name === "example.com/c1") throw new Error("not there");
      options.signal.addEventListener("abort", () => void ended.push(request.component.name));
      return await untilAborted(request, options);
    };
    await expect(gather(5, { limits: { concurrency: 2 }, fetch })).rejects.toThrow("not there");
    expect(ended).toEqual(["example.com/c0"]);
  });

  it.each<[string, GatherOptions["limits"] & object, number]>([
    ["requests", { requests: 10 }, 11],
    ["bytes", { bytes: 10 }, 11],
  ])("is bounded in %s", async (_title, limits, count) => {
    const { requests: most = 1200, bytes = 128 * 1024 * 1024 } = limits;
    await expect(gather(count, { limits })).rejects.toMatchObject({
      reason: "ContentLimitExceeded",
      retry: "never",
      message: `component example.com/c10:1.0.0: with it, what the job reads of components is more than the allowed ${most} descriptors and resources, 5000 hashes, or ${bytes} bytes`,
    });
    expect((await gather(count - 1, { limits })).supplies.size).toBe(10);
  });
});

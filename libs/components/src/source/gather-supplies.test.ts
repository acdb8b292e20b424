import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ComponentRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import type { ComponentFetcher } from "./component-source.ts";
import { gatherSupplies, type GatherOptions } from "./gather-supplies.ts";

const requests = (count: number): readonly ComponentRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    type: "descriptor",
    component: { name: `example.com/c${index}`, version: "1.0.0" },
    context: undefined,
  }));
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

  it("ends when it takes too long, and may be tried again", async () => {
    await expect(gather(2, { limits: { timeoutMs: 20 }, fetch: untilAborted })).rejects.toMatchObject({
      reason: "RegistryUnreachable",
      retry: "backoff",
      message: "components: the registries have not answered everything within 0.02 s",
    });
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

  it.each([
    ["requests", { requests: 10 }, 11],
    ["bytes", { bytes: 10 }, 11],
  ])("is bounded in %s", async (_title, limits, count) => {
    await expect(gather(count, { limits })).rejects.toMatchObject({ reason: "ContentLimitExceeded", retry: "never" });
    expect((await gather(count - 1, { limits })).supplies.size).toBe(10);
  });
});

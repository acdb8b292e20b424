import { describe, expect, it } from "@jest/globals";
import type { Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { resolveTargetContent } from "./target-content.ts";

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "a", namespace: "n" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "s", key: "k" } },
};

async function resolve(data: Readonly<Record<string, string>>, from: Target = target): Promise<unknown> {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: Object.fromEntries(encoded) };
  // The one method that is used, for the one kind that is read.
  const reader = { find: async () => await Promise.resolve(secret) } as unknown as Pick<Reader, "find">;
  return await resolveTargetContent(from, { reader, signal: new AbortController().signal });
}

describe("the Secret of a Target", () => {
  it("may have 128 KiB", async () => {
    const text = `a: ${"x".repeat(128 * 1024 - 6)}`;
    expect(await resolve({ k: text, other: "y".repeat(500_000) })).toEqual({ a: text.slice(3) });
  });

  it("is not parsed when the entry is larger: that would take the main thread too long", async () => {
    await expect(resolve({ k: "- a: b\n".repeat(30_000) })).rejects.toThrow(
      "Target n/a: Secret s, key k: expected at most 128 KiB, found more",
    );
  });

  it("is not parsed when all entries together are larger, where the Target names no key", async () => {
    const whole: Target = { ...target, spec: { ...target.spec, secretRef: { name: "s" } } };
    const data = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`k${i}`, "x".repeat(20_000)]));
    await expect(resolve(data, whole)).rejects.toThrow("Target n/a: Secret s: expected at most 128 KiB, found more");
  });
});

import { describe, expect, it } from "@jest/globals";
import type { Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { resolveTargetContent, resolveTargetText } from "./target-content.ts";

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "a", namespace: "n" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "s", key: "k" } },
};

type Resolve = typeof resolveTargetContent | typeof resolveTargetText;

async function resolve(
  data: Readonly<Record<string, string>>,
  from: Target = target,
  by: Resolve = resolveTargetContent,
): Promise<unknown> {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: Object.fromEntries(encoded) };
  // The one method that is used, for the one kind that is read.
  const reader = { find: async () => await Promise.resolve(secret) } as unknown as Pick<Reader, "find">;
  return await by(from, { reader, signal: new AbortController().signal });
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

describe("the content of a Target as text", () => {
  const { secretRef: _, ...bare } = target.spec;
  const withConfig = (config: unknown): Target => ({ ...target, spec: { ...bare, config } });
  const whole: Target = { ...target, spec: { ...bare, secretRef: { name: "s" } } };
  const long = "x".repeat(200_000);

  it.each<readonly [string, Target, Readonly<Record<string, string>>, string]>([
    [
      "is the entry that the Target names, as it is written",
      target,
      { k: '{"foo": "bar"}\n', other: "1" },
      '{"foo": "bar"}\n',
    ],
    ["is that entry whatever it is", target, { k: "not: [YAML" }, "not: [YAML"],
    ["is that entry however long it is", target, { k: long }, long],
    [
      "is JSON of all entries, parsed",
      whole,
      { foo: "bar", n: "1", o: "a: [b]" },
      '{"foo":"bar","n":1,"o":{"a":["b"]}}',
    ],
    ["has entries as they are that are not YAML", whole, { foo: "not: [YAML" }, '{"foo":"not: [YAML"}'],
    ["is JSON of the config", withConfig({ foo: "bar" }), {}, '{"foo":"bar"}'],
    ["is JSON of a config that is a text", withConfig("bar"), {}, '"bar"'],
  ])("%s", async (...[, from, data, text]) => {
    expect(await resolve(data, from, resolveTargetText)).toBe(text);
  });

  it("has to be there", async () => {
    await expect(resolve({ other: "1" }, target, resolveTargetText)).rejects.toMatchObject({
      message: 'Target n/a: its Secret n/s has no key "k"',
      hint: "add the key to the Secret, or correct spec.secretRef.key of the Target",
    });
    await expect(resolve({}, withConfig(undefined), resolveTargetText)).rejects.toThrow(
      "Target n/a: spec has neither config nor secretRef",
    );
  });
});

import { expect, it } from "@jest/globals";
import { createSealingKeys, sealToken } from "@landscaper/deployer";
import { createUnsealer } from "./create-unsealer.ts";

const { signal } = new AbortController();
const first = createSealingKeys();
const second = createSealingKeys();
const sealed = (key: { readonly publicKey: string }): string => sealToken("a.b.signature", key.publicKey);

it("the key of the host is read once, and again for a text that is sealed for another one", async () => {
  const keys = [first.privateKey, second.privateKey];
  let reads = 0;
  const unseal = createUnsealer(() => Promise.resolve(keys[reads++]));
  const open = async (key: typeof first) => (await unseal(sealed(key), signal)).text;
  expect([await open(first), await open(first), reads]).toEqual(["a.b.signature", "a.b.signature", 1]);
  expect([await open(second), await open(second), reads]).toEqual(["a.b.signature", "a.b.signature", 2]);
});

it("without a key of the host, a text stays sealed", async () => {
  const text = sealed(first);
  const unseal = createUnsealer(() => Promise.resolve(undefined));
  expect(await unseal(text, signal)).toEqual({ text, secrets: [] });
});

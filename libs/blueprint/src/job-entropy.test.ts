import { describe, expect, it } from "@jest/globals";
import { createJobEntropy, type Entropy } from "./job-entropy.ts";

const key = new Uint8Array(32);
const drawBytes = ({ random }: Entropy): string[] => [5, 40, 1].map((n) => Buffer.from(random(n)).toString("hex"));

describe("random bytes of a job (design.md §3.2)", () => {
  it("are the same for every attempt in one process", () => {
    const entropyOf = createJobEntropy({ key });
    expect(drawBytes(entropyOf("uid", "a"))).toEqual(drawBytes(entropyOf("uid", "a")));
  });

  it("differ between draws", () => {
    const [five, forty, one] = drawBytes(createJobEntropy({ key })("uid", "a"));
    expect([five?.length, forty?.length, one?.length]).toEqual([10, 80, 2]);
    expect(forty?.startsWith(five ?? "")).toBe(false);
  });

  it("differ between jobs, Installations of one job, and processes", () => {
    const forty = (entropy: Entropy): string | undefined => drawBytes(entropy)[1];
    const drawn = [
      forty(createJobEntropy({ key })("uid", "a")),
      forty(createJobEntropy({ key })("uid", "b")),
      forty(createJobEntropy({ key })("sibling", "a")),
      forty(createJobEntropy()("uid", "a")),
      forty(createJobEntropy()("uid", "a")),
    ];
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe("private keys of a job", () => {
  const numbered = (): ((kind: unknown) => string) => {
    let made = 0;
    return () => `key ${(made += 1)}`;
  };
  const drawKeys = ({ createKey }: Entropy): string[] => [
    createKey({ type: "rsa", bits: 2048 }),
    createKey({ type: "rsa", bits: 2048 }),
    createKey({ type: "ed25519" }),
  ];

  it("are the same for every attempt", () => {
    const entropyOf = createJobEntropy({ createKey: numbered() });
    const first = drawKeys(entropyOf("uid", "a"));
    expect(first).toEqual(["key 1", "key 2", "key 3"]);
    expect(drawKeys(entropyOf("uid", "a"))).toEqual(first);
  });

  it("differ between jobs and Installations", () => {
    const entropyOf = createJobEntropy({ createKey: numbered() });
    const drawn = [
      ...drawKeys(entropyOf("uid", "a")),
      ...drawKeys(entropyOf("uid", "b")),
      ...drawKeys(entropyOf("sibling", "a")),
    ];
    expect(new Set(drawn).size).toBe(9);
  });

  it("are forgotten when many came after them", () => {
    const entropyOf = createJobEntropy({ createKey: numbered() });
    const [first] = drawKeys(entropyOf("uid", "a"));
    for (let i = 0; i < 600; i++) entropyOf("uid", `job ${i}`).createKey({ type: "ed25519" });
    expect(drawKeys(entropyOf("uid", "a"))[0]).not.toBe(first);
  });
});

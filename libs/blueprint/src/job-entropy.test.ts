import { describe, expect, it } from "@jest/globals";
import { createJobEntropy, drawFrom, type Entropy, type JobEntropy } from "./job-entropy.ts";

const key = new Uint8Array(32);
const draw = (jobs: JobEntropy, uid: string, jobID: string): Entropy => drawFrom(jobs.seedOf(uid, jobID));
const drawBytes = ({ random }: Entropy): string[] => [5, 40, 1].map((n) => Buffer.from(random(n)).toString("hex"));

describe("random bytes of a job (design.md §3.2)", () => {
  it("are the same for every attempt in one process", () => {
    const jobs = createJobEntropy(key);
    expect(drawBytes(draw(jobs, "uid", "a"))).toEqual(drawBytes(draw(jobs, "uid", "a")));
  });

  it("differ between draws", () => {
    const [five, forty, one] = drawBytes(draw(createJobEntropy(key), "uid", "a"));
    expect([five?.length, forty?.length, one?.length]).toEqual([10, 80, 2]);
    expect(forty?.startsWith(five ?? "")).toBe(false);
  });

  it("differ between jobs, Installations of one job, and processes", () => {
    const forty = (jobs: JobEntropy, uid: string, jobID: string): string | undefined =>
      drawBytes(draw(jobs, uid, jobID))[1];
    const drawn = [
      forty(createJobEntropy(key), "uid", "a"),
      forty(createJobEntropy(key), "uid", "b"),
      forty(createJobEntropy(key), "sibling", "a"),
      forty(createJobEntropy(), "uid", "a"),
      forty(createJobEntropy(), "uid", "a"),
    ];
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe("private keys of a job", () => {
  /** Draws three keys in one attempt, and keeps them for the next. */
  const attempts = (): ((uid: string, jobID: string) => string[]) => {
    const jobs = createJobEntropy();
    let made = 0;
    return (uid, jobID) => {
      const keys: Record<string, string> = {};
      const entropy = drawFrom(jobs.seedOf(uid, jobID), {
        createKey: () => `key ${(made += 1)}`,
        onKey: (name, text) => (keys[name] = text),
      });
      const drawn = ([{ type: "rsa", bits: 2048 }, { type: "rsa", bits: 2048 }, { type: "ed25519" }] as const).map(
        (kind) => entropy.createKey(kind),
      );
      jobs.keep(uid, jobID, keys);
      return drawn;
    };
  };

  it("are the same for every attempt", () => {
    const attempt = attempts();
    expect(attempt("uid", "a")).toEqual(["key 1", "key 2", "key 3"]);
    expect(attempt("uid", "a")).toEqual(["key 1", "key 2", "key 3"]);
  });

  it("differ between jobs and Installations", () => {
    const attempt = attempts();
    const drawn = [...attempt("uid", "a"), ...attempt("uid", "b"), ...attempt("sibling", "a")];
    expect(new Set(drawn).size).toBe(9);
  });

  it("are forgotten when many came after them", () => {
    const attempt = attempts();
    const [first] = attempt("uid", "a");
    for (let i = 0; i < 600; i++) attempt("uid", `job ${i}`);
    expect(attempt("uid", "a")[0]).not.toBe(first);
  });
});

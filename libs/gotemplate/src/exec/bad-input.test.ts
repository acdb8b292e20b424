import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BadInputResult } from "../../test/bad-input-worker.ts";
import { badInputs } from "../../test/bad-inputs.ts";

/**
 * About a second on a machine that does nothing else, two for password hashes; processor time is longer where others fill the
 * caches and the clock is lower.
 */
const maxCpuMs = 5000;

describe("bad input ends soon and takes little memory", () => {
  let worker: Worker;

  beforeAll(() => {
    worker = new Worker(join(import.meta.dirname, "../../test/bad-input-worker.ts"), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
  });
  afterAll(async () => {
    await worker.terminate();
  });

  // A thread that runs out of memory ends with an error, and the test with it.
  async function run(index: number): Promise<BadInputResult> {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(index);
    const [result] = (await once(worker, "message")) as [BadInputResult];
    return result;
  }

  it.each(badInputs.map((input, index) => [input.name, index, input] as const))(
    "%s",
    async (_, index, { isHarmless }) => {
      const { kind, message, cpuMs } = await run(index);
      if (isHarmless === true) expect(kind).toBeUndefined();
      else {
        expect(kind).toBeDefined();
        expect(message).toMatch(/^template: t:([0-9]+:([0-9]+:)?)? /);
      }
      expect(cpuMs).toBeLessThan(maxCpuMs);
    },
  );
});

import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createFifo } from "./fifo.ts";

describe("createFifo", () => {
  it("behaves as an array with push and shift", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(), { nil: undefined }), { maxLength: 5_000 }), (steps) => {
        const fifo = createFifo<number>();
        const model: number[] = [];
        for (const step of steps) {
          if (step === undefined) expect(fifo.shift()).toBe(model.shift());
          else {
            fifo.push(step);
            model.push(step);
          }
          expect(fifo.size).toBe(model.length);
          expect(fifo.first).toBe(model[0]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("gives memory back while it is never empty", () => {
    const fifo = createFifo<number>();
    for (let index = 0; index < 100_000; index++) {
      fifo.push(index);
      if (index >= 10) expect(fifo.shift()).toBe(index - 10);
    }
    expect(fifo.size).toBe(10);
  });
});

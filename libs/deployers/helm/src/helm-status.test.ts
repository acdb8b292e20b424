import { describe, expect, it } from "@jest/globals";
import { noteReadyWithoutStatus, readHelmStatus, writeHelmStatus, type HelmStatus } from "./helm-status.ts";

const empty = readHelmStatus(undefined);

function readyObjects(count: number): readonly { uid: string; generation: number }[] {
  return Array.from({ length: count }, (_, index) => ({ uid: `uid-${index}`, generation: 1 }));
}

const stored = (status: HelmStatus): HelmStatus => readHelmStatus(writeHelmStatus(status));

describe("custom resources that count as ready without a status", () => {
  it("are in the status after it is written and read", () => {
    const status = noteReadyWithoutStatus(empty, readyObjects(2));
    expect(stored(status ?? empty).readyWithoutStatus).toEqual(readyObjects(2));
  });

  it("do not change a status that has none if there are none", () => {
    expect(noteReadyWithoutStatus(empty, [])).toBeUndefined();
  });

  it.each([1, 500, 501, 1200])("do not change the status a second time if they are %d", (count) => {
    const ready = readyObjects(count);
    const status = noteReadyWithoutStatus(empty, ready);
    expect(stored(status ?? empty).readyWithoutStatus).toEqual(ready.slice(-500));
    expect(noteReadyWithoutStatus(stored(status ?? empty), ready)).toBeUndefined();
  });

  it("change the status if a generation changes", () => {
    const before = { ...empty, readyWithoutStatus: [{ uid: "u", generation: 1 }] };
    expect(noteReadyWithoutStatus(before, [{ uid: "u", generation: 2 }])?.readyWithoutStatus).toEqual([
      { uid: "u", generation: 2 },
    ]);
  });
});

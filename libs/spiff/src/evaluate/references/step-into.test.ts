import { expect, it } from "@jest/globals";
import { completeList, mapOf } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import { stepInto } from "./step-into.ts";

const count = 2000;

function keyedCells(onRead: () => void): Cell[] {
  return Array.from({ length: count }, (_, index) => {
    const cell = new Cell(mapOf([["name", `n${index % (count - 1)}`]]));
    return new Proxy(cell, {
      get: (target, property): unknown => {
        onRead();
        return Reflect.get(target, property);
      },
    });
  });
}

it("reads the entries of a complete list once, however many are looked up by their keys", () => {
  let reads = 0;
  const items = keyedCells(() => {
    reads++;
  });
  const list = completeList(items, undefined);
  const found = Array.from({ length: count }, (_, index) => stepInto(list, `name:n${index}`));
  expect(found).toEqual([...items.slice(0, -1), undefined]);
  expect(stepInto(list, "n0")).toBe(items[0]);
  expect(reads).toBeLessThan(count * 100);
});

import { expect, it } from "@jest/globals";
import { ownTurn } from "./breather.ts";

it("one at a time has its turn, and others go on in between", async () => {
  const order: string[] = [];
  const immediate = (): void => {
    order.push("loop");
    if (order.length < 8) setImmediate(immediate);
  };
  setImmediate(immediate);
  const work = async (name: string): Promise<void> => {
    await ownTurn();
    order.push(name);
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(order.slice(0, 6)).toEqual(["loop", "a", "loop", "b", "loop", "c"]);
});

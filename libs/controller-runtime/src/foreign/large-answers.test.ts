import { describe, expect, it } from "@jest/globals";
import { createLargeAnswers } from "./large-answers.ts";

describe("createLargeAnswers", () => {
  it("lets a server wait that has its share, and others pass", async () => {
    const answers = createLargeAnswers({ total: 2, perServer: 1 });
    const order: string[] = [];
    const leave = await answers.enter("a", undefined);
    const enterAgain = async (): Promise<void> => {
      const leaveSecond = await answers.enter("a", undefined);
      order.push("second of a");
      leaveSecond();
    };
    const second = enterAgain();
    (await answers.enter("b", undefined))();
    order.push("b");
    leave();
    await second;
    expect(order).toEqual(["b", "second of a"]);
  });

  it("gives up waiting when the request is aborted, and keeps no place", async () => {
    const answers = createLargeAnswers({ total: 1, perServer: 1 });
    const leave = await answers.enter("a", undefined);
    const abort = new AbortController();
    const waiting = answers.enter("b", abort.signal);
    abort.abort(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    leave();
    (await answers.enter("c", undefined))();
  });
});

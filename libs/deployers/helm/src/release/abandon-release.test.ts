import { expect, it } from "@jest/globals";
import { abandonRelease } from "./abandon-release.ts";

it("reads nothing of a target whose deletion was interrupted: the next one begins with whatever revision is left", async () => {
  const read: string[] = [];
  const context = {
    get providerStatus() {
      return void read.push("status");
    },
    target: { cluster: () => Promise.reject(new Error("nothing listens")) },
    work: "delete",
  };
  await abandonRelease(context as never);
  expect(read).toEqual([]);
  await abandonRelease({ ...context, work: "reconcile" } as never).catch(() => {});
  expect(read).not.toEqual([]);
});

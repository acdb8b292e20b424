import { describe, expect, it } from "@jest/globals";
import { nameReplica } from "./replica-names.ts";

describe("nameReplica", () => {
  let count = 0;
  const name = (env: Record<string, string>) => nameReplica({ env, hostname: "node-1", newId: () => `${++count}` });

  it("is the pod's name, again after a restart", () => {
    const names = { instance: "core-7", identity: "core-7" };
    expect([name({ MY_POD_NAME: "core-7" }), name({ MY_POD_NAME: "core-7" })]).toEqual([names, names]);
  });

  it.each<Record<string, string>>([{}, { MY_POD_NAME: "" }])("tells processes of one host apart: %j", (env) => {
    const [first, second] = [name(env), name(env)];
    expect([first.instance, second.instance]).toEqual(["node-1", "node-1"]);
    expect(first.identity).toMatch(/^node-1_\d+$/);
    expect(second.identity).not.toBe(first.identity);
  });
});

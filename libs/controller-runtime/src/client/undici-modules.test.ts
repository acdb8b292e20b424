// transport.ts imports two files of undici that are not its public interface, because its index takes three times as long to load (fetch, caches, web
// sockets). scripts/private-imports.test.ts fails first when undici is upgraded.
import { describe, expect, it } from "@jest/globals";
import { Dispatcher, MockAgent, Pool } from "undici";
import undiciRequest from "undici/lib/api/api-request.js";
import UndiciPool from "undici/lib/dispatcher/pool.js";

describe("the private files of undici that transport.ts loads", () => {
  it("are what the public interface has", () => {
    expect(UndiciPool).toBe(Pool);
    expect(Reflect.get(Dispatcher.prototype, "request")).toBe(undiciRequest);
  });

  it("send a request when they are used as in transport.ts", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const pool = agent.get("http://cluster.example.org");
    pool.intercept({ path: "/version", method: "GET" }).reply(200, "one");
    const { statusCode, body } = await undiciRequest.call(pool, { path: "/version", method: "GET" });
    expect([statusCode, await body.text()]).toEqual([200, "one"]);
    await agent.close();
  });
});

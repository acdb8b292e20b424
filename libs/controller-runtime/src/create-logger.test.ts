import { describe, expect, it } from "@jest/globals";
import { createLogger } from "./create-logger.ts";
import { createTestLogger } from "./test-logger.ts";

describe("createLogger", () => {
  it("writes one JSON line per message", () => {
    const log = createTestLogger();
    log.info({ controller: "installation", object: "n/a" }, "started");
    expect(log.text).toMatch(/^\{.*\}\n$/);
    expect(log.lines).toEqual([
      {
        level: "info",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        name: "test",
        controller: "installation",
        object: "n/a",
        msg: "started",
      },
    ]);
  });

  it("carries the fields of a child", () => {
    const log = createTestLogger();
    log.child({ controller: "c" }).child({ job: 7 }).warn({ a: 1 }, "m");
    expect(log.lines).toMatchObject([{ level: "warn", name: "test", controller: "c", job: 7, a: 1, msg: "m" }]);
  });

  it("leaves out what is below its level", () => {
    const log = createTestLogger("warn");
    log.debug({}, "debug");
    log.info({}, "info");
    log.warn({}, "warn");
    log.error({}, "error");
    expect(log.lines.map(({ msg }) => msg)).toEqual(["warn", "error"]);
  });

  it("masks members that hold secrets, at the top and below", () => {
    const secret = "hunter2";
    const log = createTestLogger();
    const names = [
      "token",
      "password",
      "kubeconfig",
      "authorization",
      "data",
      "stringData",
      "client-key-data",
      "config",
      "values",
    ];
    for (const name of names) {
      log.info({ [name]: secret }, "top");
      log.info({ object: { [name]: { inner: secret } } }, "below");
      log.info({ a: { b: { [name]: [secret] } } }, "two below");
      log.info({ a: { b: { c: { [name]: secret } } } }, "three below");
    }
    expect(log.lines).toHaveLength(names.length * 4);
    expect(log.text).not.toContain(secret);
    expect(log.text).toContain("[...]");
  });

  it("writes to stdout synchronously when no destination is given", () => {
    expect(() => createLogger({ name: "x", level: "silent" }).info({}, "nothing")).not.toThrow();
  });
});

import { LandscaperError, Sensitive } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createLogger } from "./create-logger.ts";
import { createTestLogger } from "@landscaper/testkit";

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
      log.info({ a: [{ b: { c: { [name]: secret } } }] }, "in a list");
      log.info({ a: { [name.toUpperCase()]: secret } }, "in capitals");
      log.child({ [name]: secret }).info({}, "of a child");
    }
    expect(log.lines).toHaveLength(names.length * 6);
    expect(log.text).not.toContain(secret);
    expect(log.text).toContain("[...]");
  });

  it("masks what lies so deep that it is no log field", () => {
    const log = createTestLogger();
    log.info({ a: { b: { c: { d: { e: { f: { g: "hunter2" } } } } } } }, "deep");
    expect(log.lines).toMatchObject([{ a: { b: { c: { d: { e: { f: "[...]" } } } } } }]);
  });

  it("tells errors by type and message, whatever else they carry", () => {
    const log = createTestLogger();
    const error = new LandscaperError({ message: "m", reason: "R" });
    log.info({ error: Object.assign(error, { body: "hunter2" }) }, "failed");
    expect(log.lines).toMatchObject([{ error: { type: "LandscaperError", message: "m", reason: "R" } }]);
    expect(log.text).not.toContain("hunter2");
  });

  it("leaves values alone that know how to show themselves", () => {
    const log = createTestLogger();
    log.info({ at: new Date(0), secretWord: new Sensitive("hunter2") }, "m");
    expect(log.lines).toMatchObject([{ at: "1970-01-01T00:00:00.000Z", secretWord: "***" }]);
  });

  it("does not touch what the caller passed", () => {
    const fields = { token: "t", list: [{ data: "d" }] };
    createTestLogger().info(fields, "m");
    expect(fields).toEqual({ token: "t", list: [{ data: "d" }] });
  });

  it("writes to stdout synchronously when no destination is given", () => {
    expect(() => createLogger({ name: "x", level: "silent" }).info({}, "nothing")).not.toThrow();
  });
});

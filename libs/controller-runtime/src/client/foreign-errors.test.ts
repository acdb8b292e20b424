import { expect, it } from "@jest/globals";
import { createForeignErrors, foreignText } from "@landscaper/testkit";
import { errors } from "undici";
import { describeError, explainError } from "../describe-error.ts";
import { failureMessage } from "../program/failure-message.ts";
import { ConnectionError } from "./api-error.ts";
import { createTransport } from "./transport.ts";

const foreign = createForeignErrors();
const transport = createTransport({
  connection: { server: "https://api.example:6443", ca: "authority" },
  userAgent: "test",
  maxConnections: 1,
  requestTimeoutMs: 1000,
  environment: {},
});
const remedies = /\b(correct|check|start|set|renew|update|raise|replace|retry|report)\b/;
const inConnections = new Set(["undici", "tls", "openssl", "dns", "network"]);

it("createForeignErrors has an error for each code of undici", () => {
  const codes = Object.values(errors).flatMap((type) => {
    const { code } = Reflect.construct(type as new () => object, ["m", 500, {}]) as { readonly code?: unknown };
    return typeof code === "string" && code.startsWith("UND_ERR") ? [code] : [];
  });
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !foreign.some(({ name }) => name === code))).toEqual([]);
});

it.each(foreign)("explains $name of $library on a connection, with server and remedy", ({ library, error }) => {
  const failure = transport.failure({ method: "GET", path: "/api" }, error);
  expect(failure).toBeInstanceOf(ConnectionError);
  const { message, problem } = failure as ConnectionError;
  expect(message).toContain("GET /api: no answer from https://api.example:6443 (");
  expect(JSON.stringify([message, (failure as ConnectionError).cause])).not.toContain("words of a library");
  expect(problem).not.toMatch(/hunter2|UND_ERR/);
  expect(problem).toMatch(remedies);
  if (inConnections.has(library)) expect(problem).not.toContain("unexpected reason");
});

it.each(foreign)("describes $name of $library at the end of a program without its text", ({ library, error }) => {
  const text = failureMessage(error);
  expect(text).not.toContain(foreignText);
  if (library === "fs") expect(text).toMatch(/^cannot open \/data\/values\.yaml: .+\. [A-Z]/);
});

it.each(foreign)(
  "explains $name of $library in a status, an Event or a note without its text",
  ({ library, error }) => {
    const text = explainError(error);
    expect(text).not.toMatch(/words of a library|hunter2/);
    if (library === "fs") expect(text).toMatch(/^cannot open \/data\/values\.yaml: .+\. [A-Z]/);
    else expect(text).toMatch(/^internal error: \w+$/);
  },
);

// An error without a code is a fault: maintainers need its message in the log.
it.each(foreign.filter(({ error }) => "code" in error))(
  "logs $name of $library by its code, without its text",
  ({ error }) => {
    expect(JSON.stringify(describeError(error))).not.toMatch(/words of a library|hunter2/);
    expect(describeError(error)).toMatchObject({ code: Reflect.get(error, "code") });
  },
);

import { expect, it } from "@jest/globals";
import { createForeignErrors } from "@landscaper/testkit";
import { toNatsProblem } from "./nats-problem.ts";

const place = { addresses: ["nats.example:4222"], stream: "LANDSCAPER", step: "cannot connect" };

it.each(createForeignErrors())("explains $name of $library with the server, without its text", ({ error }) => {
  const { message } = toNatsProblem(error, place);
  expect(message).toMatch(/^NATS \(nats\.example:4222\)/);
  expect(message).not.toMatch(/words of a library|hunter2|UND_ERR/);
  expect(message).toMatch(/\b(correct|check|start|set|renew|update|raise|replace|retry|report)\b/i);
});

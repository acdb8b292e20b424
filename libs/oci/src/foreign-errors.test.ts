import { expect, it } from "@jest/globals";
import { createForeignErrors } from "@landscaper/testkit";
import { unreachable } from "./transport.ts";

const url = new URL("https://registry.example/v2/app/tags/list");
const remedies = /\b(correct|check|start|set|renew|update|raise|replace|retry|report)\b/;

it.each(createForeignErrors())(
  "explains $name of $library with the URL and a remedy, without its text",
  ({ error }) => {
    for (const sent of [{ url, proxy: undefined, hasAuthority: false }, undefined]) {
      const { message } = unreachable(url.href, error, sent);
      expect(message).toMatch(/^https:\/\/registry\.example\/v2\/app\/tags\/list: /);
      expect(message).not.toMatch(/words of a library|hunter2|UND_ERR/);
      expect(message).toMatch(remedies);
    }
  },
);

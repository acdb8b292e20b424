import { expect, it } from "@jest/globals";
import { decodeBase64 } from "./decode-base64.ts";

it.each([
  ["", ""],
  ["YQ==", "a"],
  [" YWJj\n", "abc"],
])("decodes %j", (text, content) => {
  expect(decodeBase64(text, "data").toString()).toBe(content);
});

it.each(["YQ", "Y*==", "YQ==YQ=="])("refuses %j", (text) => {
  expect(() => decodeBase64(text, "data")).toThrow("data: expected base64 text. Encode the content");
});

import { expect, it } from "@jest/globals";
import { quoteText } from "./quote-text.ts";

it.each([
  ["a\n", '"a\\n"'],
  ["x".repeat(200), `"${"x".repeat(200)}"`],
  ["x".repeat(201), `"${"x".repeat(200)}..."`],
  [`${"x".repeat(199)}😀`, `"${"x".repeat(199)}\uFFFD..."`],
])("quotes %.10j, and cuts it after 200 characters", (text, want) => {
  expect(quoteText(text)).toBe(want);
});

import { expect, it } from "@jest/globals";
import { isFolder } from "./open-component.ts";

it.each<[string, boolean]>([
  ["out", true],
  ["out/ctf", true],
  ["shop.ctf", true],
  ["Shop-1.0.CTF", true],
  ["./registry.example", true],
  ["/tmp/registry.example", true],
  ["localhost", false],
  ["localhost/team", false],
  ["localhost:5000", false],
  ["registry.example", false],
  ["registry.example/team", false],
  ["registry.example/shop.ctf", false],
  ["shop.ctf:5000", false],
  ["http://shop.ctf", false],
])("isFolder of %s, which does not exist, is %s", (repository, want) => {
  expect(isFolder(repository)).toBe(want);
});

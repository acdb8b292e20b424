import { expect, it } from "@jest/globals";
import { bareHost } from "./bare-host.ts";

it.each([
  ["Registry.Example", "registry.example"],
  ["registry.example.", "registry.example"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["192.0.2.1", "192.0.2.1"],
])("rules know the host %s as %s", (hostname, host) => {
  expect(bareHost(hostname)).toBe(host);
});

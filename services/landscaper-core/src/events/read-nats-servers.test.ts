import { expect, it } from "@jest/globals";
import { readNatsServers } from "./read-nats-servers.ts";

const url = "nats://core:secret@127.0.0.1:4222";

it.each([
  ["publishes with the part central", url, ["main", "central"], url, false],
  ["publishes nothing without NATS_URL", undefined, ["main", "central"], undefined, false],
  ["publishes nothing for an empty NATS_URL", " ", ["main", "central"], undefined, false],
  ["warns of a NATS_URL without effect", url, ["main"], undefined, true],
] as const)("%s", (...[_what, natsUrl, parts, servers, warns]) => {
  const found = readNatsServers({ NATS_URL: natsUrl }, parts);
  expect(found.servers).toBe(servers);
  expect(found.warning !== undefined).toBe(warns);
  expect(found.warning ?? "").not.toContain("secret");
});

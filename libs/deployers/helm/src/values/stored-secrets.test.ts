import { expect, it } from "@jest/globals";
import { storedSecrets } from "./stored-secrets.ts";

const stored = { db: { password: "old-secret", host: "old-host" }, names: ["a"], token: "old-token" };

const cases: readonly (readonly [what: string, told: unknown, hidden: readonly unknown[]])[] = [
  ["nothing is told", {}, [stored.db, stored.names, stored.token]],
  ["a value that is told now, whatever it was", { token: "new" }, [stored.db, stored.names]],
  ["a part of a map", { db: { host: "new-host" } }, ["old-secret", stored.names, stored.token]],
  ["a list as a whole", { names: ["b", "c"] }, [stored.db, stored.token]],
  ["a map that is a value now", { db: "host" }, [stored.db, stored.names, stored.token]],
  ["a value that is a map now", { token: { text: "new" } }, [stored.db, stored.names, stored.token]],
  ["a value that is taken away now", { token: null }, [stored.db, stored.names, stored.token]],
  ["names of members that every object has", { constructor: "x" }, [stored.db, stored.names, stored.token]],
  ["everything", stored, []],
];

it.each(cases)("hides what is not told: %s", (_what, told, hidden) => {
  expect(storedSecrets(stored, told)).toEqual(hidden);
});

it("hides a member that a map of its own does not tell", () => {
  expect(storedSecrets({ toString: "secret" }, {})).toEqual(["secret"]);
});

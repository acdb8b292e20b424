import { expect, it } from "@jest/globals";
import { maskPreview } from "./mask-preview.ts";

const resource = { apiVersion: "v1", kind: "ConfigMap", name: "correct-horse", namespace: "n" };
const preview = {
  summary: "1 to update",
  heldBack: "the job would remove Namespace correct-horse",
  text: 'update ConfigMap n/map\n  ~ .data.url: "postgres://me:old-secret@db" -> "postgres://me:correct-horse@db"\n1 to update\n',
  changes: [
    {
      resource,
      type: "update",
      fields: [
        { path: ".data.url", type: "change", from: "none", to: "postgres://me:correct-horse@db" },
        { path: ".data", type: "add", to: { list: ["correct-horse", 7], other: null } },
      ],
    },
    { resource, type: "blocked", fields: [], problem: 'Invalid value: "correct-horse"' },
  ],
  details: { helm: { version: "3", problem: "correct-horse is too long" } },
};

it("hides values wherever a plan would show them, and changes no name", async () => {
  const mask = async (texts: readonly string[]): Promise<string[]> =>
    texts.map((text) => text.replaceAll("correct-horse", "[...]"));
  expect(await maskPreview(preview, mask)).toEqual({
    summary: "1 to update",
    heldBack: "the job would remove Namespace [...]",
    text: 'update ConfigMap n/map\n  ~ .data.url: "postgres://me:old-secret@db" -> "postgres://me:[...]@db"\n1 to update\n',
    changes: [
      {
        resource,
        type: "update",
        fields: [
          { path: ".data.url", type: "change", from: "none", to: "postgres://me:[...]@db" },
          { path: ".data", type: "add", to: { list: ["[...]", 7], other: null } },
        ],
      },
      { resource, type: "blocked", fields: [], problem: 'Invalid value: "[...]"' },
    ],
    details: { helm: { version: "3", problem: "[...] is too long" } },
  });
});

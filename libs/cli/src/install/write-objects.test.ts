import { apiVersion, labels, resources, type DataObject, type Installation } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { expect, it } from "@jest/globals";
import { writeObjects } from "./write-objects.ts";

it("does not update an object whose numbers the API server stores in another notation", async () => {
  const metadata = { name: "i", namespace: "n", labels: { [labels.installOf]: "i" } };
  const installation: Installation = { apiVersion, kind: "Installation", metadata, spec: { blueprint: {} } };
  const dataObject: DataObject = { apiVersion, kind: "DataObject", metadata: { ...metadata, name: "d" }, data: 1e16 };
  const stored = new Map<string, unknown>([
    ["i", installation],
    ["d", { ...dataObject, data: 10_000_000_000_000_000n }],
  ]);
  const client = { find: async (_type: unknown, { name }: { readonly name: string }) => stored.get(name) };
  const lines: string[] = [];
  await writeObjects(
    { before: [{ type: resources.dataObject, object: dataObject }], installation },
    {
      client: client as unknown as Client, // only reads
      namespace: "n",
      signal: new AbortController().signal,
      write: (text) => lines.push(text),
    },
  );
  expect(lines).toEqual(["unchanged: dataobject/d\n", "unchanged: installation/i\n"]);
});

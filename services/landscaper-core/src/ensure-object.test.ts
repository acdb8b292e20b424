import { annotations, apiVersion, labels, sensitiveAnnotations, type KubeObject } from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";
import { describe, expect, it } from "@jest/globals";
import { namingLarge, overlayMetadata } from "./ensure-object.ts";

const object = (kind: string, objectLabels: Record<string, string> = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "root-abc", labels: objectLabels, annotations: { filler: "x".repeat(2000) } },
});
const refusal = (status: number, message: string) =>
  new ApiError({ method: "POST", path: "/x" }, { status, statusObject: { message } });

describe("a write of an object that is too large", () => {
  it.each([
    [object("DeployItem", { [labels.managedName]: "item" }), 'deploy item "item"'],
    [object("DataObject", { [labels.dataKey]: "word" }), 'DataObject "word"'],
    [object("Execution"), 'all deploy items together (Execution "root-abc")'],
    [object("Installation"), 'Installation "root-abc"'],
  ])("names it", async (given, name) => {
    const write = Promise.reject(refusal(500, "etcdserver: request is too large"));
    await expect(namingLarge(given, write)).rejects.toMatchObject({
      message: `${name}: its 3 KiB of JSON are more than the API server stores in one object: etcdserver: request is too large`,
      reason: "ObjectTooLarge",
      retry: "never",
    });
  });

  it("is told from other failures and from success", async () => {
    const other = refusal(500, "no");
    await expect(namingLarge(object("Execution"), Promise.reject(other))).rejects.toBe(other);
    await expect(namingLarge(object("Execution"), Promise.resolve(object("Execution")))).resolves.toEqual(
      object("Execution"),
    );
  });
});

describe("annotations that say what of the data of an object is secret", () => {
  const marked = (marks: Record<string, string>): KubeObject => ({
    apiVersion,
    kind: "DataObject",
    metadata: { name: "value", annotations: { other: "x", ...marks } },
  });
  const ofUser = { [annotations.sensitive]: "true" };

  type Marks = Record<string, string>;
  it.each<[string, Marks, Marks, Marks]>([
    ["go when the core has written them", sensitiveAnnotations(["/a"]), {}, {}],
    ["stay when a user has written them", ofUser, {}, ofUser],
    [
      "become those that are wanted",
      sensitiveAnnotations(["/a"]),
      sensitiveAnnotations([""]),
      sensitiveAnnotations([""]),
    ],
  ])("%s", (_, ...[before, wanted, after]) => {
    expect(overlayMetadata(marked(before), marked(wanted)).metadata.annotations).toEqual({ other: "x", ...after });
  });
});

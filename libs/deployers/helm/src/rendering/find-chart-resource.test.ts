import { describe, expect, it } from "@jest/globals";
import { descriptorOf } from "@landscaper/components/testing";
import type { Identity } from "@landscaper/ocm";
import { findChartResource } from "./find-chart-resource.ts";

const component = { name: "example.org/app", version: "1.2.3" };
const access = (reference: string) => ({ type: "localBlob", localReference: reference });
const document = {
  ...descriptorOf(component),
  component: {
    ...component,
    resources: [
      { name: "chart", version: "1.0.0", access: access("one") },
      { name: "chart", version: "2.0.0", access: access("two") },
      { name: "other", extraIdentity: { arch: "arm" }, access: access("arm") },
      { name: "bare" },
    ],
  },
};
const find = (resource: Identity, asked = component) =>
  findChartResource({
    text: Buffer.from(JSON.stringify(document)),
    key: { component: asked, resource },
    where: "component in registry.example",
  });

describe("the chart of a resource key", () => {
  it.each<[Identity, string]>([
    [{ name: "chart" }, "one"],
    [{ name: "chart", version: "2.0.0" }, "two"],
    [{ name: "other", arch: "arm" }, "arm"],
  ])("is the resource with these attributes: %j", (resource, reference) => {
    expect(find(resource).access).toEqual({ kind: "local", reference, mediaType: undefined });
  });

  it.each<[Identity, string]>([
    [
      { name: "chart", version: "3.0.0" },
      "chart.resourceRef: component example.org/app:1.2.3 has no resource with name chart, version 3.0.0",
    ],
    [
      { name: "other", arch: "x86" },
      "chart.resourceRef: component example.org/app:1.2.3 has no resource with name other, arch x86",
    ],
    [{ name: "bare" }, 'component example.org/app:1.2.3: resource "bare": access: expected where its content lies'],
  ])("is not there: %j", (resource, message) => {
    expect(() => find(resource)).toThrow(new Error(message));
  });

  it("is of the component that was asked for", () => {
    expect(() => find({ name: "chart" }, { ...component, version: "9.9.9" })).toThrow(
      new Error("component in registry.example: found the descriptor of example.org/app:1.2.3"),
    );
  });
});

// A key that a chart removes from stringData of a Secret, with each way in which objects of a release are brought up to date.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type Warning } from "@landscaper/api";
import { Deployment, type DeploymentOptions } from "../deployment.ts";
import { contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const fixture = useReleaseFixture();

describe("a key that a chart removes from stringData", () => {
  /** Keys of the Secret, and the warnings of the upgrade. */
  async function upgrade(
    fields: object,
    options: DeploymentOptions,
  ): Promise<{ keys: readonly string[]; warnings: readonly Warning[] }> {
    const warnings: Warning[] = [];
    const context = { ...(await fixture.release("app")), warn: (warning: Warning) => void warnings.push(warning) };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "login" } };
    const before = {
      ...secret,
      data: { d: "eA==" },
      stringData: { a: "sentinel-a", b: "sentinel-b", c: "sentinel-c" },
    };
    await finish(new Deployment(context, contentOf([before]), options));
    await finish(new Deployment(context, contentOf([{ ...secret, ...fields }]), options));
    const live = await fixture.client.get(kubeResources.secret, { namespace: context.namespace, name: "login" });
    return { keys: Object.keys(live.data ?? {}).toSorted(), warnings };
  }
  const left = (keys: string): object => ({
    reason: "StringDataLeft",
    message: expect.stringMatching(
      `Secret release-\\d+/login: the chart no longer has ${keys} in stringData, but the three-way merge leaves`,
    ),
  });

  it.each<[string, { fields: object; keys: string[]; warnings: object[] }]>([
    [
      "stays in the Secret, with a warning",
      {
        fields: { data: { d: "eA==" }, stringData: { a: "sentinel-a" } },
        keys: ["a", "b", "c", "d"],
        warnings: [left("b, c")],
      },
    ],
    [
      "stays if the Secret has no stringData any more",
      { fields: { data: { d: "eA==" } }, keys: ["a", "b", "c", "d"], warnings: [left("a, b, c")] },
    ],
    [
      "stays if data has it now",
      { fields: { data: { b: "eA==", c: "eA==" }, stringData: { a: "x" } }, keys: ["a", "b", "c"], warnings: [] },
    ],
    ["goes with all others if data goes as a whole", { fields: { stringData: { a: "x" } }, keys: ["a"], warnings: [] }],
  ])("%s, with the three-way merge", async (_, { fields, keys, warnings }) => {
    const outcome = await upgrade(fields, {});
    expect(outcome).toEqual({ keys, warnings });
    expect(JSON.stringify(outcome.warnings)).not.toContain("sentinel");
  });

  it("is removed from the Secret by server-side apply", async () => {
    const outcome = await upgrade({ stringData: { a: "sentinel-a" } }, { serverSideApply: {} });
    expect(outcome).toEqual({ keys: ["a"], warnings: [] });
  });

  it("is removed from the Secret by a replacement", async () => {
    const outcome = await upgrade({ stringData: { a: "sentinel-a" } }, { force: true });
    expect(outcome).toEqual({ keys: ["a"], warnings: [] });
  });
});

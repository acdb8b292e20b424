// What a job accepts although it may not be meant so, by the contract on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, type DeployItemStatus } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { gate, spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-warnings");

const unknown = (field: string) => ({ reason: "UnknownField", message: `spec.config: unknown field "${field}"` });
const warningsOf = ({ conditions = [] }: DeployItemStatus = {}) =>
  conditions.find(({ type }) => type === "Warnings")?.message;

/** The notes of the Warnings about the item, once there are `count`. */
async function eventsOf(count: number): Promise<readonly (string | undefined)[]> {
  return await waitFor(async () => {
    const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.scope.namespace });
    const notes = items.filter(({ reason }) => reason === "UnknownField").map(({ note }) => note);
    return notes.length >= count ? notes : undefined;
  });
}

describe("warnings of a job", () => {
  it("are told at the pickup, and not again by the next one", async () => {
    const door = gate();
    bench.script.findWarnings = () => [unknown("a")];
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    expect(warningsOf((await bench.scope.get("item")).status)).toBe('spec.config: unknown field "a"');
    door.open();
    expect(warningsOf((await bench.scope.waitForEnd("item")).status)).toBe('spec.config: unknown field "a"');
    await bench.scope.trigger("item", spec);
    await bench.scope.waitForEnd("item");
    bench.script.findWarnings = () => [unknown("b")];
    await bench.scope.trigger("item", spec);
    expect(warningsOf((await bench.scope.waitForEnd("item")).status)).toBe('spec.config: unknown field "b"');
    expect(await eventsOf(2)).toEqual(expect.arrayContaining([unknown("a").message, unknown("b").message]));
    expect(await eventsOf(2)).toHaveLength(2);
    bench.script.findWarnings = () => [];
    await bench.scope.trigger("item", spec);
    expect(warningsOf((await bench.scope.waitForEnd("item")).status)).toBeUndefined();
  });

  it("that the deployer comes upon are told when it ends, once, and without values", async () => {
    const config = { apiVersion: "test/v1", kind: "Test", password: "hunter-two" };
    bench.script.reconcile = ({ warn }) => {
      warn({ reason: "Odd", message: "odd: hunter-two" });
      warn({ reason: "Odd", message: "odd: hunter-two" });
      return Promise.resolve({ type: "succeeded" });
    };
    await bench.scope.create({ name: "item", spec: { ...spec, config } });
    expect(warningsOf((await bench.scope.waitForEnd("item")).status)).toBe("odd: [...]");
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await bench.scope.trigger("item", spec);
    expect(warningsOf((await bench.scope.waitForEnd("item")).status)).toBeUndefined();
  });

  it("of unknown fields end it before its first write where the item wants that", async () => {
    bench.script.findWarnings = () => [unknown("a"), { reason: "WithoutEffect", message: "b has no effect" }];
    const strict = { [annotations.fieldValidation]: "Strict" };
    await bench.scope.create({ name: "item", spec, annotations: strict });
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "UnknownFields"]);
    expect(status?.lastError?.message).toContain('spec.config: unknown field "a"; correct what the message names');
    expect(bench.calls).toEqual([]);
  });
});

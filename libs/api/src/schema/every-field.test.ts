import { describe, expect, it } from "@jest/globals";
import { expectNothingElse, fromEveryField } from "./every-field.ts";

interface Spec {
  readonly name: string;
  readonly timeout?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

describe("fromEveryField", () => {
  it("leaves out the fields that are undefined", () => {
    expect(fromEveryField<Spec>({ name: "a", timeout: undefined, labels: {} })).toStrictEqual({
      name: "a",
      labels: {},
    });
  });

  it("does not compile without a field, be it optional, or with a value of another type", () => {
    // @ts-expect-error -- timeout and labels are missing
    fromEveryField<Spec>({ name: "a" });
    // @ts-expect-error -- timeout is no text
    fromEveryField<Spec>({ name: "a", timeout: 1, labels: undefined });
    // @ts-expect-error -- there is no such field
    fromEveryField<Spec>({ name: "a", timeout: undefined, labels: undefined, other: "x" });
  });
});

describe("expectNothingElse", () => {
  it("does not compile while a field is left, be it optional", () => {
    const spec: Spec = { name: "a", timeout: "1s" };
    const { name, timeout, ...withLabels } = spec;
    // @ts-expect-error -- labels are left
    expectNothingElse(withLabels);
    const { labels, ...rest } = withLabels;
    expectNothingElse(rest);
    expect([name, timeout, labels]).toEqual(["a", "1s", undefined]);
  });
});

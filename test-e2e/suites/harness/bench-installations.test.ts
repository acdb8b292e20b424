import { describe, expect, it } from "@jest/globals";
import { benchInstallations } from "../../bench/installations/installations.ts";

describe("the bench of Installations", () => {
  it("measures each phase of the product and of both raw clients", async () => {
    const announce = (): void => undefined;
    const result = await benchInstallations({ count: 2, inFlight: 4, warmUp: false, cluster: "embedded", announce });
    expect(result.phases.map(({ phase, contract }) => [phase, contract.requestsEach])).toEqual([
      ["create", 19],
      ["update", 19],
      ["delete", 12],
    ]);
    const figures = result.phases.flatMap(({ product, contract, replay }) => [
      product.seconds,
      ...Object.values(contract),
      ...Object.values(replay),
    ]);
    expect(figures.filter((figure: number) => !(figure > 0))).toEqual([]);
    // The product sends Events and more reads than the contract requires.
    for (const { contract, replay } of result.phases)
      expect(replay.requestsEach).toBeGreaterThan(contract.requestsEach);
  }, 300_000);
});

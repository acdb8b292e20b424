import { describe, expect, it } from "@jest/globals";
import { benchFleet } from "../../bench/fleet/fleet.ts";

describe("the bench of a fleet", () => {
  it("measures a small fleet at two sizes, and ends all that it starts", async () => {
    const announced: string[] = [];
    const announce = (line: string): number => announced.push(line);
    const result = await benchFleet({ count: 2, inFlight: 4, agents: 1, isShort: true, cluster: "embedded", announce });
    expect(announced.at(-1)).toBe("the same Installations, changed by their users ...");
    expect(result).toMatchObject({ registrations: 4, agents: { agents: 1 }, comparison: undefined });
    expect(result.measures.map(({ environments }) => environments)).toEqual([1, 2]);
    const figures = [...result.measures.flatMap((measure) => Object.values(measure)), result.updateMsEach];
    expect(figures.filter((figure: number) => !Number.isFinite(figure))).toEqual([]);
    expect(result.peakRssMiB).toBeGreaterThan(50);
  }, 600_000);
});

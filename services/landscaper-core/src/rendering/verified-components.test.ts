import { describe, expect, it } from "@jest/globals";
import { formatPins } from "@landscaper/components";
import { noPins } from "./render-task.ts";
import { verifiedComponents } from "./verified-components.ts";

const unverified = formatPins({ isVerified: false, components: {} });

describe("a subinstallation whose root must be verified", () => {
  it.each([
    ["without an annotation of its parent", undefined],
    ["with one that says that nothing was verified", unverified],
    ["with one that cannot be read", "{"],
  ])("is refused %s", async (_title, parent) => {
    const pins = { ...noPins, parent, mustBeVerified: true };
    await expect(verifiedComponents(undefined, { wanted: undefined, pins })).rejects.toMatchObject({
      reason: "VerifySignature",
    });
  });

  it("passes where nothing must be verified", async () => {
    const pins = { ...noPins, parent: unverified };
    await expect(verifiedComponents(undefined, { wanted: undefined, pins })).resolves.toBeUndefined();
  });
});

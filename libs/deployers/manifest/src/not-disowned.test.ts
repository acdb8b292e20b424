// Objects that are kept and still bear the mark of their deploy item.
import { afterEach, expect, it } from "@jest/globals";
import { conditionTypes } from "@landscaper/api";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("disown");
afterEach(() => bench.fixture.target.setFault(undefined));

it("a mark that cannot be taken off what is kept is a warning of the job, which succeeds", async () => {
  const kept = { policy: "keep", manifest: configMap(`${bench.n}/kept`) };
  const other = configMap(`${bench.n}/other`);
  await bench.deploy("item", [kept, other]);
  bench.fixture.target.setFault(({ verb, name }) =>
    verb === "patch" && name === "kept" ? { status: 403 } : undefined,
  );
  const { config = {} } = specOf([other]);
  await bench.scope.trigger("item", { config });
  const { status } = await bench.scope.waitForEnd("item");
  const warnings = status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
  expect([status?.phase, warnings?.reason]).toEqual(["Succeeded", "NotDisowned"]);
  // Nobody has said what of the configuration is no secret: the kind and the namespace are masked.
  expect(warnings?.message).toMatch(/^the mark of the deploy item stays on what is kept: patch .*\/kept: .*403$/);
});

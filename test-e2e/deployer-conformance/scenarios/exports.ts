import { isSameJson } from "../same-json.ts";
import { absent, equal, expectField, expectThat, present, show } from "../expectations.ts";
import type { Place } from "../place.ts";
import { ingredientOf, itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { listEnds } from "./job-writes.ts";

/** The Secret that exportRef names, and the values in it. */
async function readExports(place: Place) {
  const { status } = await place.api.get("DeployItem", itemName);
  const name = status?.exportRef?.name ?? "";
  const secret = await place.api.find("Secret", name);
  expectThat(
    secret !== undefined,
    `DeployItem ${place.namespace}/${itemName}, status.exportRef: expected the name of a Secret, found ${show(name)}`,
  );
  const text: unknown = Reflect.get(Object(secret.data), "config");
  const where = `Secret ${place.namespace}/${name}, data.config`;
  expectThat(typeof text === "string", `${where}: expected exported values, found nothing`);
  const parse = (): unknown => {
    try {
      return JSON.parse(Buffer.from(text, "base64").toString());
    } catch {
      return expectThat(false, `${where}: expected JSON in base64, found another text`);
    }
  };
  return { secret, where, values: parse() };
}

export const exports: readonly Scenario[] = [
  {
    id: "E1",
    title: "exports into a Secret that is there before the job ends",
    contract: "Key config of Secret status.exportRef has the values as JSON (deployers.md §1.1, Exports)",
    needs: ["exports"],
    async run(place) {
      await place.start("exports");
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.exportRef.name", present);
      expectField(ended, "status.exportRef.namespace", equal(place.namespace));
      const { secret, where, values } = await readExports(place);
      const { exports: wanted = {} } = ingredientOf(place, "exports", itemName);
      expectThat(isSameJson(values, wanted), `${where}: expected ${show(wanted)}, found ${show(values)}`);
      const end = listEnds(await place.writes()).at(-1)?.after.metadata.resourceVersion ?? "0";
      const written = secret.metadata.resourceVersion ?? "0";
      expectThat(BigInt(written) < BigInt(end), `${where}: expected before the end (${end}), found version ${written}`);
    },
  },
  {
    id: "E2",
    title: "exports into a Secret that goes with the item",
    contract: "The Secret has an owner reference to the item (docs/deployer-authors.md, Exports)",
    needs: ["exports"],
    async run(place) {
      await place.start("exports");
      const ended = await place.waitForEnd("Succeeded");
      const { secret } = await readExports(place);
      const owners = (secret.metadata.ownerReferences ?? []).map(({ uid }) => uid);
      const named = { ...secret, owners: owners.filter((uid) => uid === ended.metadata.uid) };
      expectField(named, "owners", equal([ended.metadata.uid]));
    },
  },
  {
    id: "E3",
    title: "takes exports back that there are none of any more",
    contract: "Old values must not stay visible when nothing is exported (deployers.md §4 no. 56)",
    isStricter: true,
    needs: ["exports"],
    async run(place) {
      await place.start("exports");
      await place.waitForEnd("Succeeded");
      const { secret } = await readExports(place);
      // `succeeds` where that exports nothing.
      await place.configure(place.profile.items.exportsNothing === undefined ? "succeeds" : "exportsNothing");
      await place.trigger();
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.exportRef", absent);
      const left = await place.api.find("Secret", secret.metadata.name);
      const isGone = left === undefined || left.metadata.deletionTimestamp !== undefined;
      expectThat(isGone, `Secret ${place.namespace}/${secret.metadata.name}: expected to be gone, found it`);
    },
  },
];

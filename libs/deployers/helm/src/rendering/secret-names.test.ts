import { describe, expect, it } from "@jest/globals";
import { annotations, LandscaperError, perturbAt } from "@landscaper/api";
import { parsePostRender } from "../post-render/post-render-config.ts";
import { checkPatchedNames, checkReleaseNames, checkRenderedNames, type Rendered } from "./secret-names.ts";

const given = { password: "hunter-two", color: "orange", mode: "shop" };
type Values = typeof given;

const shown = "derives from a secret, and names of objects are shown in status, events, logs and plans";

function manifestOf(object: object): Rendered {
  return { manifest: `---\n# Source: app/templates/a.yaml\n${JSON.stringify(object)}\n`, hooks: [] };
}

async function check(make: (values: Values) => Rendered, secretPaths = ["/password"]): Promise<string> {
  const render = async (paths: readonly string[] = []): Promise<Rendered> => make(perturbAt(given, paths) as Values);
  const secrets = [given.password, given.mode];
  const release = { name: "shop", namespace: "prod" };
  const options = { chart: "app", release, rendered: make(given), secretPaths, secrets, render };
  return await checkRenderedNames(options).then(
    () => "accepted",
    (error: unknown) => (error instanceof LandscaperError ? error.message : String(error)),
  );
}

const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" } };
const named = (name: string): Rendered => manifestOf({ ...object, metadata: { ...object.metadata, name } });

describe("checkRenderedNames", () => {
  it.each<readonly [string, (values: Values) => Rendered, string]>([
    ["name", ({ password }) => named(`db-${password}`), "metadata.name"],
    ["part of a name", ({ password }) => named(password.slice(0, 3)), "metadata.name"],
    [
      "namespace",
      ({ password }) => manifestOf({ ...object, metadata: { ...object.metadata, namespace: password } }),
      "metadata.namespace",
    ],
    ["kind", ({ password }) => manifestOf({ ...object, kind: password }), "kind"],
  ])("refuses a %s from a secret", async (_what, make, field) => {
    expect(await check(make)).toBe(`chart app: template app/templates/a.yaml: ${field} ${shown}`);
  });

  it("refuses the name of a hook", async () => {
    const make = ({ password }: Values): Rendered => {
      const hook = { path: "app/templates/h.yaml", manifest: named(password).manifest };
      return { manifest: "", hooks: [hook as Rendered["hooks"][number]] };
    };
    expect(await check(make)).toContain(`metadata.name ${shown}`);
  });

  it("accepts values that are not names, names of other values, and random names", async () => {
    expect(await check(({ password }) => manifestOf({ ...object, data: { password } }))).toBe("accepted");
    expect(await check(({ color }) => named(color))).toBe("accepted");
    let count = 0;
    expect(await check(() => named(`random-${count++}`))).toBe("accepted");
  });

  it("refuses a random name with a secret in it", async () => {
    let count = 0;
    expect(await check(({ password }) => named(`${password}-${count++}`))).toContain(`metadata.name ${shown}`);
  });

  it("accepts objects that exist only if a secret has a certain value", async () => {
    const make = ({ password }: Values): Rendered =>
      password === given.password ? named("shop-replicas") : { manifest: "", hooks: [] };
    expect(await check(make)).toBe("accepted");
  });

  it("refuses objects that exist only for a certain value of a secret and contain it in their names", async () => {
    const make = ({ password }: Values): Rendered =>
      password === given.password ? named(`shop-${password}`) : { manifest: "", hooks: [] };
    expect(await check(make)).toContain(`metadata.name ${shown}`);
  });

  it("accepts the name of the release although a secret has the same text", async () => {
    const make = ({ password }: Values): Rendered => {
      if (password === given.password) return named("shop-db");
      throw new LandscaperError({ message: "m", reason: "ChartRenderingFailed", retry: "never" });
    };
    expect(await check(make, ["/password", "/mode"])).toBe("accepted");
  });

  it("accepts all names if all values count as secret, because the core knows nothing of them", async () => {
    expect(await check(({ password }) => named(password), [""])).toBe("accepted");
  });

  it("searches the names for secret values if the chart does not render with substituted secrets", async () => {
    const strict =
      (name: string) =>
      ({ password }: Values): Rendered => {
        if (password === given.password) return named(name);
        throw new LandscaperError({ message: "m", reason: "ChartRenderingFailed", retry: "never" });
      };
    expect(await check(strict("db-hunter-two"))).toContain(`metadata.name ${shown}`);
    expect(await check(strict("db-orange"))).toBe("accepted");
  });
});

describe("checkPatchedNames", () => {
  const textOf = (operations: readonly object[]): string => JSON.stringify(operations);
  const check = (patch: string | readonly object[], path: string): string => {
    const rules = parsePostRender({ patches: [{ target: { kind: "ConfigMap" }, patch: patch }] }, "postRender");
    const metadata = { annotations: { [annotations.sensitiveConfig]: JSON.stringify([path]) } };
    try {
      checkPatchedNames({ metadata }, rules?.patches ?? []);
      return "accepted";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  const rename = { op: "replace", path: "/metadata/name", value: "hunter-two" };
  const fill = { op: "add", path: "/data/password", value: "hunter-two" };
  const refused = `spec.config: postRender.patches[0].patch[0].value ${shown}`;

  it.each<readonly [string, readonly [string | readonly object[], string], string]>([
    ["a name", [[rename], "/postRender/patches/0/patch/0/value"], refused],
    ["a name in a text", [textOf([rename]), "/postRender/patches/0/patch"], refused],
    ["metadata", [[{ ...rename, path: "/metadata", value: {} }], "/postRender"], refused],
    [
      "the name in metadata",
      [[{ ...rename, path: "/metadata", value: {} }], "/postRender/patches/0/patch/0/value/name"],
      refused,
    ],
    [
      "labels in metadata",
      [[{ ...rename, path: "/metadata", value: {} }], "/postRender/patches/0/patch/0/value/labels/a"],
      "accepted",
    ],
    ["other fields", [[fill], "/postRender/patches/0/patch/0/value"], "accepted"],
    ["a text for other fields", [textOf([fill]), "/postRender/patches/0/patch"], "accepted"],
    ["a name beside a secret", [[rename, fill], "/postRender/patches/0/patch/1/value"], "accepted"],
    ["a name, if the whole configuration counts as secret", [[rename], ""], "accepted"],
  ])("judges a patch of %s", (_what, [patch, path], result) => {
    expect(check(patch, path)).toBe(result);
  });
});

describe("checkReleaseNames", () => {
  const itemOf = (paths: string) => ({ metadata: { annotations: { [annotations.sensitiveConfig]: paths } } });
  it.each(["name", "namespace"])("refuses the %s of a release", (field) => {
    expect(() => checkReleaseNames(itemOf(`["/${field}"]`))).toThrow(`spec.config: ${field} ${shown}`);
  });

  it("refuses the name of an object that an export reads", () => {
    const item = itemOf('["/exports/exports/0/fromResource/name"]');
    expect(() => checkReleaseNames(item)).toThrow(`spec.config: exports.exports[0].fromResource.name ${shown}`);
  });

  it("accepts secret values", () => {
    expect(() => checkReleaseNames(itemOf('["/values/name"]'))).not.toThrow();
    expect(() => checkReleaseNames({ metadata: {} })).not.toThrow();
  });
});

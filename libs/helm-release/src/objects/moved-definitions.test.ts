// A CRD that a chart moves between templates/ and crds/. It is deleted with all its instances if a revision removes it.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type CustomResourceDefinition } from "@landscaper/api";
import { versionedKind, waitFor } from "@landscaper/testkit";
import { createRollback } from "../create-rollback.ts";
import type { DeploymentContent } from "../deployment.ts";
import type { ReleaseContext } from "../release-context.ts";
import { parseCrdFiles } from "./crd-files.ts";
import { previewRevision } from "./preview-revision.ts";
import { configMap, contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("a CRD that a chart moves", () => {
  /** A chart with the CRD in templates/, or in crds/. */
  function chart(
    definition: CustomResourceDefinition,
    place: "templates" | "crds",
    name = "crds/things.yaml",
  ): DeploymentContent {
    if (place === "templates") return contentOf([configMap("a"), definition]);
    const content = contentOf([configMap("a")], { crds: [{ ...definition }] });
    const data = Buffer.from(JSON.stringify(definition)).toString("base64");
    return { ...content, chart: { ...content.chart, files: [{ name, data }] } };
  }

  interface Moving {
    readonly context: ReleaseContext;
    readonly definition: CustomResourceDefinition;
    /** Uids of the CRD and of its instance. */
    readonly uids: () => Promise<readonly (string | undefined)[]>;
  }

  /** A release with the CRD in `place`, and an instance of it. */
  async function installed(place: "templates" | "crds"): Promise<Moving> {
    const context = await fixture.release("app");
    const { namespace } = context;
    const kind = versionedKind(fixture.client, `${namespace}.example.org`);
    const { definition } = kind;
    await fixture.deploy(context, chart(definition, place));
    await waitFor(async () =>
      kind.create({ namespace, name: "one" }).then(
        () => true,
        () => false,
      ),
    );
    const uids = async () => {
      const key = { name: definition.metadata.name ?? "" };
      const crd = await fixture.client.find(kubeResources.customResourceDefinition, key);
      const found = [crd, ...(await kind.list(namespace))];
      expect(found.map((each) => each?.metadata.deletionTimestamp)).toEqual([undefined, undefined]);
      return found.map((each) => each?.metadata.uid);
    };
    return { context, definition, uids };
  }

  it("from templates/ to crds/ stays with its instances, whether crds/ is installed or not", async () => {
    for (const crdPolicy of ["Skip", "Create", "CreateReplace"] as const) {
      const { context, definition, uids } = await installed("templates");
      const before = await uids();
      expect(before).not.toContain(undefined);
      await fixture.deploy(context, chart(definition, "crds"), { crdPolicy });
      expect(await uids()).toEqual(before);
    }
  });

  it("stays although the file in crds/ gives it a namespace", async () => {
    const { context, definition, uids } = await installed("templates");
    const before = await uids();
    const { namespace } = context;
    const text = JSON.stringify({ ...definition, metadata: { ...definition.metadata, namespace } });
    await fixture.deploy(context, contentOf([configMap("a")], { crds: await parseCrdFiles([text]) }));
    expect(await uids()).toEqual(before);
  });

  it("is not in the removals of a preview", async () => {
    const { context, definition } = await installed("templates");
    const { cluster, name, namespace, store } = context;
    const { manifest, crds } = chart(definition, "crds");
    const record = (await store.history({ signal })).at(-1);
    const changes = await previewRevision({ cluster, release: { name, namespace }, manifest, crds, record, signal });
    expect(changes.map(({ resource, type }) => [resource.kind, type])).toEqual([["ConfigMap", "unchanged"]]);
  });

  it.each(["crds/things.yaml", "crds/THINGS.JSON"])(
    "stays when a rollback moves it to templates/, and another one back to %s",
    async (file) => {
      const { context, definition, uids } = await installed("templates");
      const before = await uids();
      const rollBackTo = async (revision: number): Promise<void> => {
        const history = await context.store.history({ signal });
        const target = history.find(({ version }) => version === revision);
        if (target === undefined) throw new Error(`expected revision ${revision}, found none`);
        await finish(createRollback(context, { target, history, options: {} }));
        expect(await uids()).toEqual(before);
      };
      await fixture.deploy(context, chart(definition, "crds", file));
      await rollBackTo(1);
      await rollBackTo(2);
    },
  );

  it("is deleted when neither templates/ nor crds/ contains it", async () => {
    const { context, definition } = await installed("templates");
    await fixture.deploy(context, contentOf([configMap("a")]));
    const { name = "" } = definition.metadata;
    await waitFor(
      async () => (await fixture.client.find(kubeResources.customResourceDefinition, { name })) === undefined,
    );
  });
});

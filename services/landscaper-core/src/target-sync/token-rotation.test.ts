import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  keyOf,
  kubeResources,
  resources,
  toTimestamp,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { parseAllDocuments } from "yaml";
import { readTokenLife } from "@landscaper/deployer";
import { startEmbeddedCluster, type EmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { soleUserOf } from "./source-kubeconfig.ts";
import {
  namesOfMade,
  startSync,
  startTestSource,
  syncNow,
  untilSynced,
  type TestSource,
} from "../../test/target-sync-source.ts";

/** The objects that docs/guide/targets.md gives for a source: a ServiceAccount and its rights. */
function readGuide(sourceNamespace: string): readonly KubeObject[] {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/targets.md"), "utf8");
  const [, text = ""] = /<!-- example: source-rights -->\n```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  const documents = parseAllDocuments(text.replaceAll("${sourceNamespace}", sourceNamespace));
  return documents.map((document) => document.toJS() as KubeObject);
}

function typeOf({ apiVersion, kind }: KubeObject): ResourceType {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

let cluster: EmbeddedCluster;
let core: TestCore;
let source: TestSource;
beforeAll(async () => {
  [cluster, source] = await Promise.all([startEmbeddedCluster({ crds: true }), startTestSource("rbac")]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"] });
});
afterAll(async () => {
  await core.stop();
  await Promise.all([cluster.stop(), source.stop()]);
});

/** A kubeconfig of the guide's ServiceAccount. */
async function createUser(namespace: string): Promise<string> {
  for (const object of readGuide(namespace)) await source.client.create(typeOf(object), object);
  const answer = await source.client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/landscaper/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 90 * 86_400 } },
  });
  const { token } = (answer as { status: { token: string } }).status;
  const admin = soleUserOf(source.server.kubeconfig);
  return admin.withToken(token).replaceAll(admin.name, "landscaper");
}

async function tokenOf(hub: TestNamespace): Promise<string | undefined> {
  const secret = await hub.get(kubeResources.secret, "source");
  return soleUserOf(Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString()).token;
}

const daysAgo = (days: number): string => toTimestamp(new Date(Date.now() - days * 86_400_000));

interface Started {
  readonly hub: TestNamespace;
  readonly given: string | undefined;
}

let scopes = 0;
/** A TargetSync whose token was renewed `rotatedDaysAgo`, and that has synced once since. */
async function start(rotatedDaysAgo: number | undefined): Promise<Started> {
  scopes += 1;
  const hub = await cluster.createNamespace(`rotation-${scopes}`);
  const from = await source.open();
  await from.putSecret("one", "config-one");
  const kubeconfig = await createUser(from.name);
  const fields = { sourceNamespace: from.name, secretNameExpression: "^one$", tokenRotation: { enabled: false } };
  const { metadata } = await startSync(hub, { kubeconfig, ...fields });
  await untilSynced(hub, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
  const given = await tokenOf(hub);
  const key = { namespace: hub.name, name: metadata.name ?? "" };
  if (rotatedDaysAgo !== undefined) {
    const body = { status: { lastTokenRotationTime: daysAgo(rotatedDaysAgo) } };
    await hub.client.patch(resources.targetSync, key, { type: "merge", subresource: "status", body });
  }
  const body = { spec: { tokenRotation: { enabled: true } } };
  await hub.client.patch(resources.targetSync, key, { type: "merge", body });
  await untilSynced(hub, ({ observedGeneration }) => observedGeneration === 2);
  return { hub, given };
}

describe("token rotation of a TargetSync, with the rights that the guide gives (core.md §4.52 fixed)", () => {
  it("renews a token that was never renewed, notes when, and then lets it be", async () => {
    const startedAt = Math.floor(Date.now() / 1000) * 1000;
    const { hub, given } = await start(undefined);
    const renewed = await tokenOf(hub);
    expect(renewed).not.toBe(given);
    const life = readTokenLife(renewed);
    expect((life?.expiresAtMs ?? 0) - (life?.issuedAtMs ?? 0)).toBe(90 * 86_400_000);
    const { status } = await hub.get(resources.targetSync, "sync");
    const renewedAt = Date.parse(status?.lastTokenRotationTime ?? "");
    expect([renewedAt >= startedAt, renewedAt <= Date.now()]).toEqual([true, true]);
    expect(status?.lastErrors).toBeUndefined();
    // The next ones work with the new token and keep it.
    for (const _ of [1, 2]) expect((await syncNow(hub)).status?.lastErrors).toBeUndefined();
    expect(await tokenOf(hub)).toBe(renewed);
    expect(await namesOfMade(hub)).toEqual({ targets: ["one"], secrets: ["one"] });
  });

  it("renews it after 60 days, and not before", async () => {
    const early = await start(59);
    expect(await tokenOf(early.hub)).toBe(early.given);
    const late = await start(61);
    expect(await tokenOf(late.hub)).not.toBe(late.given);
  });

  it("renews it once when it is asked to, and takes the annotation off", async () => {
    const { hub, given } = await start(1);
    await hub.annotate(resources.targetSync, "sync", { [annotations.rotateToken]: "true" });
    await hub.until(
      resources.targetSync,
      "sync",
      (object) => object?.metadata.annotations?.[annotations.rotateToken] === undefined,
    );
    const renewed = await tokenOf(hub);
    expect(renewed).not.toBe(given);
    await syncNow(hub);
    expect(await tokenOf(hub)).toBe(renewed);
  });

  it("says why it cannot, and syncs with the token that it has", async () => {
    const { hub } = await start(1);
    const name = (await hub.get(resources.targetSync, "sync")).spec.sourceNamespace;
    for (const object of readGuide(name)) {
      if (object.kind === "RoleBinding") await source.client.delete(typeOf(object), keyOf(object));
    }
    await hub.annotate(resources.targetSync, "sync", { [annotations.rotateToken]: "true" });
    const { status, metadata } = await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined);
    expect(status?.lastErrors).toHaveLength(2);
    expect(status?.lastErrors?.[1]).toMatch(
      /^source cluster, namespace source-\w+: token of ServiceAccount landscaper: 403 /,
    );
    expect(metadata.annotations?.[annotations.rotateToken]).toBe("true");
    expect(await namesOfMade(hub)).toEqual({ targets: ["one"], secrets: ["one"] });
  });
});

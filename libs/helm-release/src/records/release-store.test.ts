// Records are the lock of a release: who has made a revision has it, as long as nobody takes it away.
import { describe, expect, it } from "@jest/globals";
import { Deployment } from "../deployment.ts";
import { newRevision } from "./new-revision.ts";
import type { ReleaseContext } from "../release-context.ts";
import { Patience } from "./patience.ts";
import {
  decodeRelease,
  encodeRelease,
  largestSize,
  maxStoredBytes,
  type ReleaseInfo,
  type ReleaseRecord,
} from "./release-record.ts";
import type { StoredRelease } from "./stored-release.ts";
import { configMap, contentOf, finish, hook, secretType, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

const content = contentOf([configMap("a")]);
const describeAs = (record: ReleaseRecord, description: string): ReleaseRecord => ({
  ...record,
  info: { ...record.info, description },
});

function revision({ name, namespace, now }: ReleaseContext): ReleaseRecord {
  return newRevision(content, { name, namespace, history: [], applyMethod: "csa", now: now() });
}

async function twoAtWork(): Promise<{ one: ReleaseContext; other: ReleaseContext; record: ReleaseRecord }> {
  const one = await fixture.release("app");
  const other = fixture.context("app", one.namespace);
  const record = revision(one);
  await one.store.create(record, { signal });
  await other.store.history({ signal });
  return { one, other, record };
}

/** The first request of this verb fails so. */
function failOnce(wanted: string, fault: "drop-answer" | "close" | { readonly status: number }): void {
  let isDone = false;
  fixture.server.setFault(({ verb, resource }) => {
    if (isDone || verb !== wanted || resource !== "secrets") return undefined;
    isDone = true;
    return fault;
  });
}

describe("a revision", () => {
  it("is made by one only", async () => {
    const { one, other, record } = await twoAtWork();
    const place = `Secret ${one.namespace}/sh.helm.release.v1.app.v1`;
    await expect(other.store.create(describeAs(record, "other"), { signal })).rejects.toMatchObject({
      reason: "ReleaseBusy",
      retry: "backoff",
      message: `${place}: somebody else is at work on this release: create came too late`,
    });
  });

  it("that somebody else has written is not written over", async () => {
    const { one, other, record } = await twoAtWork();
    await other.store.update(describeAs(record, "other"), { signal });
    await expect(one.store.update(describeAs(record, "one"), { signal })).rejects.toMatchObject({
      reason: "ReleaseBusy",
    });
    expect(await fixture.statuses(one)).toEqual([[1, "pending-install", "other"]]);
  });

  it("that somebody has only labelled is, and keeps the label", async () => {
    const { one, record } = await twoAtWork();
    const key = { namespace: one.namespace, name: "sh.helm.release.v1.app.v1" };
    await fixture.client.patch(secretType, key, { type: "merge", body: { metadata: { labels: { backup: "yes" } } } });
    await one.store.update(describeAs(record, "one"), { signal });
    const { metadata } = await fixture.client.get(secretType, key);
    expect(metadata.labels).toMatchObject({ backup: "yes", status: "pending-install", owner: "helm" });
    expect(await fixture.statuses(one)).toEqual([[1, "pending-install", "one"]]);
  });

  it("that somebody has deleted is told", async () => {
    const { one, other, record } = await twoAtWork();
    await other.store.remove(record, { signal });
    await expect(one.store.update(record, { signal })).rejects.toMatchObject({
      reason: "ReleaseBusy",
      message: `Secret ${one.namespace}/sh.helm.release.v1.app.v1: somebody has deleted this revision of the release`,
    });
  });

  it.each(["create", "update"])("whose %s was done without an answer counts as done", async (verb) => {
    const context = await fixture.release("app");
    const record = revision(context);
    if (verb === "create") failOnce(verb, "drop-answer");
    await context.store.create(record, { signal });
    if (verb === "update") failOnce(verb, "drop-answer");
    await context.store.update(describeAs(record, "done"), { signal });
    await context.store.update(describeAs(record, "again"), { signal });
    expect(await fixture.statuses(context)).toEqual([[1, "pending-install", "again"]]);
  });

  it.each(["close", { status: 500 }] as const)("whose update was not done (%j) can be written later", async (fault) => {
    const context = await fixture.release("app");
    const record = revision(context);
    await context.store.create(record, { signal });
    failOnce("update", fault);
    const name = `update Secret ${context.namespace}/sh.helm.release.v1.app.v1: `;
    await expect(context.store.update(describeAs(record, "lost"), { signal })).rejects.toThrow(name);
    await context.store.update(describeAs(record, "later"), { signal });
    expect(await fixture.statuses(context)).toEqual([[1, "pending-install", "later"]]);
  });
});

const epochMs = Date.parse("2026-01-01T00:00:00Z");
const at = (ms: number): string => new Date(epochMs + ms).toISOString();
const info = {
  first_deployed: at(0),
  last_deployed: at(0),
  deleted: "",
  description: "",
  status: "pending-upgrade",
} as const;

describe("two deployments of one release", () => {
  const waits = (text: string) => contentOf([hook("before", "pre-install,pre-upgrade"), configMap("a", { text })]);

  it("come one after the other, when the second waits", async () => {
    const one = await fixture.release("app");
    const other = fixture.context("app", one.namespace);
    const first = new Deployment(one, waits("one"), {});
    expect(await first.advance(signal)).toMatchObject({ waitingFor: [expect.stringContaining("before")] });
    const second = new Deployment(other, waits("other"), {});
    const waiting = await second.advance(signal);
    expect(waiting).toMatchObject({
      waitingFor: [`somebody else's operation on release ${one.namespace}/app to end (revision 1 is pending-install)`],
      awaited: [{ kind: "Secret", name: "sh.helm.release.v1.app.v1" }],
    });
    expect(waiting?.lookAgainAfterMs).toBeGreaterThan(4 * 60_000);
    await finish(first, async () => void (await fixture.endJobs(one)));
    await finish(second, async () => void (await fixture.endJobs(one)));
    expect(await fixture.statuses(one)).toEqual([
      [1, "superseded", "Install complete"],
      [2, "deployed", "Upgrade complete"],
    ]);
    expect(await fixture.dataOf(one, "a")).toEqual({ text: "other" });
  });

  it.each<readonly [string, ReleaseInfo, number, number | undefined]>([
    ["is at work", { ...info, last_deployed: at(0) }, 299_000, 1_000],
    ["has been at it for five minutes", { ...info, last_deployed: at(0) }, 300_000, undefined],
    ["has been at it before we looked", { ...info, last_deployed: at(-200_000) }, 0, 100_000],
    ["has a clock that is ahead", { ...info, last_deployed: at(3_600_000) }, 0, 300_000],
    ["uninstalls since then", { ...info, status: "uninstalling", deleted: at(0), last_deployed: at(-9e6) }, 0, 300_000],
    ["says no time", { ...info, last_deployed: "" }, 0, undefined],
  ])("wait for somebody who %s", async (...[, found, laterMs, expected]) => {
    const one = await fixture.release("app");
    const record = { ...revision(one), info: found };
    await one.store.create(record, { signal });
    let nowMs = epochMs;
    const patience = new Patience({ ...one, now: () => nowMs, elapsed: () => nowMs - epochMs });
    patience.waitFor(record);
    nowMs += laterMs;
    expect(patience.waitFor(record)?.lookAgainAfterMs).toBe(expected);
  });

  it.each([30 * 60_000, -30 * 60_000])("wait as long when the time of day is set by %i ms meanwhile", async (byMs) => {
    const one = await fixture.release("app");
    const record = { ...revision(one), info };
    await one.store.create(record, { signal });
    let [elapsedMs, dayShiftMs] = [0, 0];
    const clock = { now: () => epochMs + elapsedMs + dayShiftMs, elapsed: () => elapsedMs };
    const patience = new Patience({ ...one, ...clock });
    expect(patience.waitFor(record)?.lookAgainAfterMs).toBe(300_000);
    dayShiftMs = byMs;
    elapsedMs = 299_000;
    expect(patience.waitFor(record)?.lookAgainAfterMs).toBe(1000);
    elapsedMs = 300_000;
    expect(patience.waitFor(record)).toBeUndefined();
  });

  it("are rendered anew, when somebody else's revision comes between", async () => {
    const one = await fixture.release("app");
    const second = new Deployment(one, waits("other"), { revision: 1 });
    await fixture.deploy(fixture.context("app", one.namespace), waits("one"));
    await expect(second.advance(signal)).rejects.toMatchObject({
      reason: "ReleaseBusy",
      retry: "backoff",
      message: `release ${one.namespace}/app: somebody else is at work on it: the next revision is 2 by now, not 1`,
    });
    expect(await fixture.statuses(one)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("do not spoil each other's revision, when the second takes the first for left behind", async () => {
    const one = await fixture.release("app");
    const other = fixture.context("app", one.namespace);
    const first = new Deployment(one, waits("one"), { atomic: true });
    await first.advance(signal);
    const second = new Deployment(other, waits("other"), { abandonedAfterMs: 0 });
    await finish(second, async () => void (await fixture.endJobs(one)));
    await expect(finish(first)).rejects.toMatchObject({ reason: "ReleaseBusy", retry: "backoff" });
    expect(await fixture.statuses(one)).toEqual([
      // As for Helm: what comes after a first revision that failed supersedes it.
      [1, "superseded", "Interrupted while pending-install"],
      [2, "deployed", "Upgrade complete"],
    ]);
    expect(await fixture.dataOf(one, "a")).toEqual({ text: "other" });
  });
});

describe("labels of a release", () => {
  const labelsIn = async ({ namespace }: ReleaseContext): Promise<unknown> =>
    (await fixture.client.get(secretType, { namespace, name: "sh.helm.release.v1.app.v1" })).metadata.labels;

  it("are those of the Secret, which the JSON of the record does not contain", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    await context.store.create({ ...revision(context), labels: { team: "x" } }, { signal });
    expect(await labelsIn(context)).toEqual({
      createdAt: expect.stringMatching(/^\d+$/),
      name: "app",
      owner: "helm",
      status: "pending-install",
      team: "x",
      version: "1",
    });
    const stored = await fixture.client.get<StoredRelease>(secretType, {
      namespace,
      name: "sh.helm.release.v1.app.v1",
    });
    const text = Buffer.from(stored.data?.["release"] ?? "", "base64").toString();
    expect((await decodeRelease(text, "Secret")).record.labels).toBeUndefined();
    expect((await context.store.history({ signal }))[0]?.labels).toEqual({ team: "x" });
  });

  it("change with a write, and keep what another client has changed since the record was read", async () => {
    const context = await fixture.release("app");
    await context.store.create({ ...revision(context), labels: { team: "x", env: "prod" } }, { signal });
    const [record] = await context.store.history({ signal });
    if (record === undefined) throw new Error("there is no revision");
    const key = { namespace: context.namespace, name: "sh.helm.release.v1.app.v1" };
    await fixture.client.patch(secretType, key, {
      type: "merge",
      body: { metadata: { labels: { env: "test", own: "1" } } },
    });
    await context.store.update({ ...record, labels: { env: "prod", new: "1" } }, { signal });
    const [changed] = await context.store.history({ signal });
    expect(changed?.labels).toEqual({ env: "test", new: "1", own: "1" });
  });
});

it("knows before how large a record may become", async () => {
  const context = await fixture.release("app");
  const hooks = Array.from({ length: 40 }, (_, index) => hook(`hook-${index}`, "pre-install"));
  const { namespace } = context;
  const record = newRevision(contentOf(hooks), { name: "app", namespace, history: [], applyMethod: "csa", now: 0 });
  const run = {
    started_at: "2026-11-22T05:05:22.123Z",
    completed_at: "2026-11-22T05:06:23.456Z",
    phase: "Succeeded",
  } as const;
  const description = Array.from({ length: 4096 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 90))).join(
    "",
  );
  const grown = {
    ...record,
    info: { ...record.info, description },
    hooks: record.hooks.map((each, index) => ({
      ...each,
      last_run: { ...run, started_at: new Date(index * 7_654_321).toISOString() },
    })),
  };
  expect((await encodeRelease(grown)).length).toBeLessThanOrEqual(await largestSize(record));
  const noise = Array.from({ length: 200_000 }, (_, index) => Math.sin(index).toString(36)).join("");
  const cut = (length: number): ReleaseRecord => ({ ...record, manifest: noise.slice(0, length) });
  let [fits, isTooLong] = [0, noise.length];
  while (isTooLong - fits > 1024) {
    const length = Math.floor((fits + isTooLong) / 2);
    if ((await largestSize(cut(length))) <= maxStoredBytes) fits = length;
    else isTooLong = length;
  }
  await expect(context.store.checkSize(cut(isTooLong))).rejects.toThrow("the record of the release has");
  // What is let through can be kept.
  await context.store.create(cut(fits), { signal });
});

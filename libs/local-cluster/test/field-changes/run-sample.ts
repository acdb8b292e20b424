import { isRecord, listAt, numberAt, recordAt, stringAt } from "../../src/objects/json.ts";
import { withChange, withFields } from "./apply-change.ts";
import type { Combinations } from "./combinations.ts";
import { combinations } from "./combinations.ts";
import { generateChanges } from "./generate-changes.ts";
import { names } from "./names.ts";
import type { Sample } from "./sample.ts";

export interface SampleReply {
  readonly code: number;
  readonly body: unknown;
}

/** Code of a request whose connection ended without an answer. */
export const noAnswer = 0;

/** Sends one request as an administrator. */
export type Send = (
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT",
  path: string,
  body?: unknown,
) => Promise<SampleReply>;

/** What a server answered to each change that it refused: `reason field` of each cause, or the code and reason of another answer. */
export type Refusals = Readonly<Record<string, readonly string[]>>;

export const sampleNamespace = "field-changes";

/** Creates the namespace of the samples and waits for its ServiceAccount, without which the real server refuses pods. */
export async function prepareNamespace(send: Send): Promise<void> {
  await send("POST", "/api/v1/namespaces", { metadata: { name: sampleNamespace } });
  const account = `/api/v1/namespaces/${sampleNamespace}/serviceaccounts/default`;
  for (let attempt = 0; attempt < 100 && (await send("GET", account)).code !== 200; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates a sample, then sends every change of it as a creation and as an update, both as dry runs. Throws if the sample is refused. */
export async function runSample(send: Send, sample: Sample): Promise<Refusals> {
  const { newName = "new" } = sample;
  const refusals: Record<string, readonly string[]> = {};
  const note = (title: string, reply: SampleReply): void => {
    const refusal = refusalOf(reply);
    if (refusal !== undefined) refusals[title] = refusal;
  };
  await withBase(send, sample, async ({ collection, update }) => {
    const toCreate = objectOf(sample, newName);
    note("create: unchanged", await send("POST", `${collection}?dryRun=All`, toCreate));
    note(
      "update: unchanged",
      await update((base) => withChange(base, ["metadata", "annotations"], sample.annotations)),
    );
    for (const { title, path, value, isListed = false } of generateChanges(sample)) {
      note(`create: ${title}`, await send("POST", `${collection}?dryRun=All`, withChange(toCreate, path, value)));
      if (isListed && sample.isFixed === true) continue;
      note(`update: ${title}`, await update((base) => withChange(base, path, value)));
    }
    for (const other of names) {
      const title = `create: metadata.name = ${other.length > 50 ? `${other.slice(0, 3)}... (${other.length})` : other}`;
      note(title, await send("POST", `${collection}?dryRun=All`, objectOf(sample, other)));
    }
  });
  for (const group of combinations[sample.kind] ?? []) {
    const titles = Object.keys(group.changes);
    const parts = group.isWritten === true ? titles.map((title) => [title]) : [titles];
    for (const part of parts) await runCombinations({ send, sample, note }, group, part);
  }
  return refusals;
}

interface Runner {
  readonly send: Send;
  readonly sample: Sample;
  readonly note: (title: string, reply: SampleReply) => void;
}

async function runCombinations(
  { send, sample, note }: Runner,
  group: Combinations,
  titles: readonly string[],
): Promise<void> {
  const { base, from = {}, changes, isWritten = false } = group;
  const { newName = "new" } = sample;
  await withBase(send, { ...sample, ...group }, async ({ collection, update }) => {
    const toCreate = withFields(objectOf(sample, newName), from);
    for (const title of titles) {
      const fields = changes[title] ?? {};
      const named = base === "" ? title : `${base}: ${title}`;
      note(`create: ${named}`, await send("POST", withDryRun(collection, isWritten), withFields(toCreate, fields)));
      if (isWritten) await remove(send, `${collection}/${newName}`);
      note(`update: ${named}`, await update((object) => withFields(object, fields)));
    }
  });
}

function withDryRun(path: string, isWritten: boolean): string {
  return isWritten ? path : `${path}?dryRun=All`;
}

interface Base {
  readonly collection: string;
  readonly update: (change: (base: unknown) => unknown) => Promise<SampleReply>;
}

/** Does `work` while the sample, with the fields of `from`, exists. */
async function withBase(
  send: Send,
  sample: Sample & Partial<Pick<Combinations, "from" | "isWritten" | "status">>,
  work: (base: Base) => Promise<void>,
): Promise<void> {
  const collection = pathOf(sample);
  const { name = "sample", from = {}, status, isWritten = false } = sample;
  const at = `${collection}/${name}`;
  await remove(send, at);
  const created = await send("POST", collection, withFields(objectOf(sample, name), from));
  if (created.code !== 201) {
    throw new Error(`${sample.kind}: the sample is refused: ${JSON.stringify(created.body)}`);
  }
  if (status !== undefined) {
    const { code, body } = await send("PATCH", `${at}/status`, { status });
    if (code !== 200) throw new Error(`${sample.kind}: the status is refused: ${JSON.stringify(body)}`);
  }
  const { body: base } = await send("GET", at);
  const needsRevision = sample.needsRevision === true;
  await work({
    collection,
    update: (change) => sendUpdate(send, { at: withDryRun(at, isWritten), base, needsRevision, change }),
  });
  // A quota or limit would change the answers to other samples.
  await remove(send, at);
}

interface Update {
  readonly at: string;
  readonly base: unknown;
  readonly needsRevision: boolean;
  readonly change: (base: unknown) => unknown;
}

/** A conflict is the work of a controller of the real server, which writes the status: the update names the new revision then. */
async function sendUpdate(send: Send, { at, base, needsRevision, change }: Update): Promise<SampleReply> {
  const revision = ["metadata", "resourceVersion"];
  let current = needsRevision ? base : withChange(base, revision, undefined);
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send("PUT", at, change(current));
    if (reply.code !== 409 || attempt === 20) return reply;
    const { body } = await send("GET", at.replace(/\?.*$/, ""));
    current = withChange(current, revision, stringAt(body, ...revision));
  }
}

async function remove(send: Send, path: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { code } = await send("DELETE", `${path}?propagationPolicy=Background&gracePeriodSeconds=0`);
    if (code === 404) return;
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await send("PATCH", path, { metadata: { finalizers: null } });
  }
}

function pathOf({ apiVersion, resource, isClusterScoped = false }: Sample): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return isClusterScoped ? `${root}/${resource}` : `${root}/namespaces/${sampleNamespace}/${resource}`;
}

function objectOf({ apiVersion, kind, content, annotations }: Sample, name: string): unknown {
  const object = {
    apiVersion,
    kind,
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    ...content,
  };
  return inNamespace(object);
}

function inNamespace(value: unknown): unknown {
  if (value === "NAMESPACE") return sampleNamespace;
  if (Array.isArray(value)) return value.map(inNamespace);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, inNamespace(field)]));
}

function refusalOf({ code, body }: SampleReply): readonly string[] | undefined {
  if (code === noAnswer) return ["no answer"];
  if (code < 300) return undefined;
  const causes = listAt(recordAt({ body }, "body"), "details", "causes");
  if (code !== 422 || causes.length === 0) return [`${numberAt(body, "code") ?? code} ${stringAt(body, "reason")}`];
  const texts = causes.map(
    (cause) => `${stringAt(cause, "reason").replace("FieldValue", "")} ${stringAt(cause, "field")}`,
  );
  return [...new Set(texts)].toSorted();
}

import { isRecord, listAt, numberAt, recordAt, stringAt } from "../../src/objects/json.ts";
import { withChange } from "./apply-change.ts";
import type { Step } from "./generate-changes.ts";
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
  const collection = pathOf(sample);
  const { name = "sample", newName = "new" } = sample;
  await remove(send, `${collection}/${name}`);
  const created = await send("POST", collection, objectOf(sample, name));
  if (created.code !== 201) {
    throw new Error(`${sample.kind}: the sample is refused: ${JSON.stringify(created.body)}`);
  }
  const { body: base } = await send("GET", `${collection}/${name}`);
  const refusals: Record<string, readonly string[]> = {};
  const note = (title: string, reply: SampleReply): void => {
    const refusal = refusalOf(reply);
    if (refusal !== undefined) refusals[title] = refusal;
  };
  const toCreate = objectOf(sample, newName);
  const update = (path: readonly Step[], to: unknown): Promise<SampleReply> =>
    sendUpdate(send, { at: `${collection}/${name}`, base, needsRevision: sample.needsRevision === true, path, to });
  note("create: unchanged", await send("POST", `${collection}?dryRun=All`, toCreate));
  note("update: unchanged", await update(["metadata", "annotations"], sample.annotations));
  for (const { title, path, value } of generateChanges(sample)) {
    note(`create: ${title}`, await send("POST", `${collection}?dryRun=All`, withChange(toCreate, path, value)));
    note(`update: ${title}`, await update(path, value));
  }
  for (const other of names) {
    const title = `create: metadata.name = ${other.length > 50 ? `${other.slice(0, 3)}... (${other.length})` : other}`;
    note(title, await send("POST", `${collection}?dryRun=All`, objectOf(sample, other)));
  }
  // A quota or limit would change the answers to other samples.
  await remove(send, `${collection}/${name}`);
  return refusals;
}

interface Update {
  readonly at: string;
  readonly base: unknown;
  readonly needsRevision: boolean;
  readonly path: readonly Step[];
  readonly to: unknown;
}

/** A conflict is the work of a controller of the real server, which writes the status: the update names the new revision then. */
async function sendUpdate(send: Send, { at, base, needsRevision, path, to }: Update): Promise<SampleReply> {
  const revision = ["metadata", "resourceVersion"];
  let current = needsRevision ? base : withChange(base, revision, undefined);
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send("PUT", `${at}?dryRun=All`, withChange(current, path, to));
    if (reply.code !== 409 || attempt === 20) return reply;
    const { body } = await send("GET", at);
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

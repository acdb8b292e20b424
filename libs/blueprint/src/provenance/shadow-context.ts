import { createHash } from "node:crypto";
import { perturb } from "@landscaper/api";
import { createKey, type CreateKey } from "@landscaper/x509";
import type { RenderContext } from "../render-context.ts";
import { hostFunctionNames, type HostFunction, type TemplateHost } from "../template-host.ts";

/** What a rendering got from outside, in the order of the calls. */
export interface Drawn {
  readonly bytes: Uint8Array[];
  readonly keys: string[];
  /** By function of the host. */
  readonly answers: Map<string, unknown[]>;
}

/** The context of the rendering that counts; `onSecret` is called when it draws what is secret by nature, or gets it from the host. */
export function observeContext(context: RenderContext, onSecret: () => void): { context: RenderContext; drawn: Drawn } {
  const drawn: Drawn = { bytes: [], keys: [], answers: new Map() };
  const { random, host } = context;
  const newKey = context.createKey ?? createKey;
  const noted = <T>(value: T, list: T[]): T => {
    onSecret();
    list.push(value);
    return value;
  };
  const listOf = (name: string): unknown[] => {
    const list = drawn.answers.get(name) ?? [];
    drawn.answers.set(name, list);
    return list;
  };
  const recording = (name: string, call: HostFunction): HostFunction => {
    return (...args) => noted(call(...args), listOf(name));
  };
  const observed: RenderContext = {
    ...context,
    random: (bytes) => noted(random(bytes), drawn.bytes),
    createKey: (kind) => noted(newKey(kind), drawn.keys),
    ...(host === undefined ? {} : { host: { ...host, ...functionsOf(host, recording) } }),
  };
  return { context: observed, drawn };
}

/** The context of the second rendering: other random bytes, other keys, other credentials, the same time. */
export function shadowContext(context: RenderContext, { answers }: Drawn): RenderContext {
  return {
    ...context,
    random: createShadowRandom(),
    createKey: shadowKey,
    ...replayedHost(context.host, answers),
  };
}

/** The same with the bytes and keys of the first rendering, as long as there are any. */
export function replayContext(context: RenderContext, { bytes, keys, answers }: Drawn): RenderContext {
  const otherBytes = createShadowRandom();
  const [drawnBytes, drawnKeys] = [bytes.values(), keys.values()];
  return {
    ...context,
    isShadow: true,
    random: (count) => {
      const next = drawnBytes.next().value;
      return next?.length === count ? next : otherBytes(count);
    },
    createKey: (kind) => drawnKeys.next().value ?? shadowKey(kind),
    ...replayedHost(context.host, answers),
  };
}

function replayedHost(host: TemplateHost | undefined, answers: Drawn["answers"]): Pick<RenderContext, "host"> {
  if (host === undefined) return {};
  const replaying = (name: string): HostFunction => {
    const left = (answers.get(name) ?? []).values();
    return () => perturb(left.next().value);
  };
  return { host: { ...host, ...functionsOf(host, replaying) } };
}

function functionsOf(
  { functions = {} }: TemplateHost,
  wrap: (name: string, call: HostFunction) => HostFunction,
): Pick<TemplateHost, "functions"> {
  const entries = hostFunctionNames.flatMap((name) => {
    const call = functions[name];
    return call === undefined ? [] : [[name, wrap(name, call)] as const];
  });
  return { functions: Object.fromEntries(entries) as NonNullable<TemplateHost["functions"]> }; // each under its own name
}

/** Any bytes do that nothing else draws. */
function createShadowRandom(): RenderContext["random"] {
  let drawn = 0;
  return (bytes) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < bytes; length += 32) {
      blocks.push(createHash("sha256").update(`second rendering ${drawn++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}

const shadowKeys = new Map<string, string>();

/** One of each kind is enough for all second renderings, for it is used for nothing. */
const shadowKey: CreateKey = (kind) => {
  const name = JSON.stringify(kind);
  const key = shadowKeys.get(name) ?? createKey(kind);
  shadowKeys.set(name, key);
  return key;
};

import { isDeepStrictEqual } from "node:util";
import type { MockProviderConfiguration } from "@landscaper/api";
import type { Preview, PreviewContext } from "@landscaper/deployer";
import { parseJson } from "@landscaper/json";

/** What a job of a mock item would change: nothing on a target, something in the item. Names only, no values. */
interface MockChange {
  readonly type: "create" | "update" | "delete" | "blocked";
  readonly what: "providerStatus" | "exports" | "phase";
  /** Top-level keys of what is created or updated, or the phase in which the job is to end. */
  readonly names: readonly string[];
}

/** Operation "plan" of a mock item. */
export function previewMock(context: PreviewContext<MockProviderConfiguration>): Preview {
  const changes = [...phaseChanges(context), ...statusChanges(context), ...exportChanges(context)];
  const lines = changes.map(({ type, what, names }) => [type, what, names.join(", ")].filter(Boolean).join(" "));
  const summary = lines.length === 0 ? "nothing to do" : lines.join("; ");
  return { summary, text: `${lines.length === 0 ? summary : lines.join("\n")}\n`, changes };
}

function phaseChanges({ config }: PreviewContext<MockProviderConfiguration>): MockChange[] {
  const phase = config.phase ?? config.initialPhase ?? "Succeeded";
  return phase === "Failed" || phase === "DeleteFailed" ? [{ type: "blocked", what: "phase", names: [phase] }] : [];
}

function statusChanges({ config, providerStatus }: PreviewContext<MockProviderConfiguration>): MockChange[] {
  const wanted = config.providerStatus;
  if (wanted === undefined || isDeepStrictEqual(asJson(wanted), asJson(providerStatus))) return [];
  const type = providerStatus === undefined ? "create" : "update";
  return [{ type, what: "providerStatus", names: Object.keys(wanted) }];
}

/** What was exported is in a Secret, which a preview does not see: it may be another value when the spec is another one. */
function exportChanges({ item, config }: PreviewContext<MockProviderConfiguration>): MockChange[] {
  const { metadata, status } = item;
  const names = Object.keys(config.export ?? {});
  if (status?.exportRef === undefined)
    return config.export === undefined ? [] : [{ type: "create", what: "exports", names }];
  if (config.export === undefined) return [{ type: "delete", what: "exports", names }];
  return metadata.generation === status.observedGeneration ? [] : [{ type: "update", what: "exports", names }];
}

function asJson(value: unknown): unknown {
  return parseJson(JSON.stringify(value ?? null));
}

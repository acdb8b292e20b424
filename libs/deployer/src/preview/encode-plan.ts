import { planKeys, type PlanDocument } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import type { Preview } from "../deployer-interface.ts";

/** Of each of the two entries: together with room to spare below the 1 MiB that a Secret holds. */
const maxBytes = 256 * 1024;
/** Texts in changes are cut to so many characters when the whole does not fit. */
const maxValueLength = 200;

/** The entries of the Secret that a plan goes into, as base64; what does not fit is left out, and they say so. */
export function encodePlan(
  preview: Preview,
  { generation, now }: { readonly generation: number | undefined; readonly now: Date },
): Record<string, string> {
  const document: PlanDocument = {
    ...(generation === undefined ? {} : { generation }),
    time: now.toISOString(),
    summary: preview.summary,
    changes: [...preview.changes],
    ...(preview.details === undefined ? {} : { details: preview.details }),
    ...(preview.heldBack === undefined ? {} : { heldBack: preview.heldBack }),
  };
  return {
    [planKeys.json]: Buffer.from(`${boundDocument(document)}\n`).toString("base64"),
    [planKeys.text]: Buffer.from(boundLines(preview.text)).toString("base64"),
  };
}

function boundDocument(document: PlanDocument): string {
  const whole = JSON.stringify(document);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const changes = document.changes.map((change) => JSON.stringify(change, shortenValue) ?? "null");
  const summary = document.summary.slice(0, maxValueLength);
  const head = JSON.stringify({ ...document, summary, changes: [], omitted: changes.length });
  const kept: string[] = [];
  let bytes = Buffer.byteLength(head);
  for (const change of changes) {
    bytes += Buffer.byteLength(change) + 1;
    if (bytes > maxBytes) break;
    kept.push(change);
  }
  const omitted = changes.length - kept.length;
  const rest = { ...document, summary, changes: kept.map((change): unknown => parseJson(change)) };
  return JSON.stringify(omitted === 0 ? rest : { ...rest, omitted });
}

function shortenValue(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= maxValueLength) return value;
  return `${value.slice(0, maxValueLength)}... (${value.length} characters)`;
}

/** Whole lines as long as they fit. */
function boundLines(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const head = bytes.subarray(0, bytes.lastIndexOf("\n", maxBytes) + 1).toString();
  const left = text.slice(head.length).replace(/\n$/, "").split("\n").length;
  return `${head}... ${left} more ${left === 1 ? "line" : "lines"}: the plan is longer than ${maxBytes / 1024} KiB\n`;
}

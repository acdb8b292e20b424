import type { Answered } from "./ask-switch.ts";
import { notedVersion, type HelmItem } from "./helm-items.ts";

const sourceWords = { item: "set by the item", status: "by its status" } as const;

export type ReportedItem = HelmItem & Answered;

/** Items by what a switch does to them. */
export interface ReportSummary {
  readonly items: number;
  /** At least one object changes. */
  readonly changing: number;
  /** Workloads that restart pods. */
  readonly restarts: number;
  readonly refused: number;
  /** No change of an object, or no switch. */
  readonly unchanged: number;
  readonly unknown: number;
}

/** Counts the items. Pure. */
export function summarizeReport(items: readonly ReportedItem[]): ReportSummary {
  const results = items.map((item) => ("answer" in item ? item.answer.result : "unknown"));
  const count = (result: string): number => results.filter((each) => each === result).length;
  const changes = items.flatMap((item) => ("answer" in item ? item.answer.changes : []));
  const [changing, refused, unknown] = [count("changes"), count("refused"), count("unknown")];
  return {
    items: items.length,
    changing,
    restarts: changes.filter(({ restartsPods }) => restartsPods === true).length,
    refused,
    unchanged: items.length - changing - refused - unknown,
    unknown,
  };
}

/** Returns one line for each item, its changes below it, and a line with the sums. Pure. */
export function formatReport(items: readonly ReportedItem[]): string {
  const lines = items.flatMap((item) => {
    const { metadata } = item.item;
    const owner = item.installation === undefined ? "" : ` of Installation ${item.installation}`;
    const label = `${metadata.namespace}/${metadata.name}${owner}`;
    if ("problem" in item) {
      const known = notedVersion(item.item);
      const version = known === undefined ? "" : `Helm ${known.version} (${sourceWords[known.source]}): `;
      return [`${label}: ${version}cannot be known: ${indent(item.problem)}`];
    }
    const [verdict = "", ...changes] = item.text.replace(/\n$/, "").split("\n");
    return [`${label}: ${verdict}`, ...changes.map((change) => `  ${change}`)];
  });
  return `${[...lines, formatSummary(summarizeReport(items))].join("\n")}\n`;
}

/** Further lines of a message are below the item. */
function indent(text: string): string {
  return text.replace(/\n+$/, "").replaceAll("\n", "\n  ");
}

function formatSummary({ items, changing, restarts, refused, unchanged, unknown }: ReportSummary): string {
  const workloads = restarts === 1 ? "1 workload restarts pods" : `${restarts} workloads restart pods`;
  const parts = [
    `${changing} with changes${restarts === 0 ? "" : ` (${workloads})`}`,
    `${unchanged} without changes`,
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(unknown === 0 ? [] : [`${unknown} cannot be known`]),
  ];
  return `${items} helm ${items === 1 ? "item" : "items"}: ${parts.join(", ")}`;
}

/** Returns what `-o json` prints. The shape is for programs: fields are added, never changed. Pure. */
export function formatReportJson(items: readonly ReportedItem[]): string {
  const documents = items.map((each) => {
    const { metadata } = each.item;
    const answer = "answer" in each ? each.answer : undefined;
    const text = "text" in each ? each.text : undefined;
    const known = answer ?? notedVersion(each.item);
    return {
      namespace: metadata.namespace ?? "",
      name: metadata.name ?? "",
      installation: each.installation ?? null,
      version: known?.version ?? null,
      source: known?.source ?? null,
      recorded: answer?.recorded ?? null,
      to: answer?.to ?? null,
      result: answer?.result ?? "unknown",
      changes: answer?.changes ?? [],
      omitted: answer?.omitted ?? 0,
      text: text ?? null,
      error: "problem" in each ? each.problem : null,
    };
  });
  return `${JSON.stringify({ items: documents, summary: summarizeReport(items) }, undefined, 2)}\n`;
}

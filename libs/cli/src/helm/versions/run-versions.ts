import { operations } from "@landscaper/api";
import { withCluster } from "../../cluster-command.ts";
import { flagOption, textOption, type CommandContext, type CommandInput, type CommandRun } from "../../command.ts";
import { parseTableOutput } from "../../environments/table-output.ts";
import { parseTimeout } from "../../parse-timeout.ts";
import { loadTree } from "../../tree/load-tree.ts";
import { CommandExit, InvocationError, UsageError } from "../../usage-error.ts";
import { askForSwitch, type AskOptions } from "./ask-switch.ts";
import { findHelmItems, type HelmItem } from "./helm-items.ts";
import { formatReport, formatReportJson, summarizeReport, type ReportedItem } from "./version-report.ts";
import { defaultVersionsTimeout } from "./versions-options.ts";

/** As of `landscaper helm diff`. */
const exitCodes = { changes: 1, failure: 2 } as const;

/** Maximum number of concurrent requests, because deployers render charts beside their jobs. */
const maxOpen = 8;

/** `landscaper helm versions`: all helm items, and what a switch of the version of Helm would change. */
export const runVersions: CommandRun = async (input, context) => {
  try {
    await report(input, context);
  } catch (error) {
    throw error instanceof CommandExit ? error : new CommandExit(exitCodes.failure, error);
  }
};

async function report(input: CommandInput, context: CommandContext): Promise<void> {
  const output = parseTableOutput(input);
  const operation = operationOf(input);
  const timeoutText = textOption(input, "timeout") ?? defaultVersionsTimeout;
  const timeoutMs = parseTimeout(timeoutText);
  const isEverywhere = flagOption(input, "allNamespaces");
  if (isEverywhere && textOption(input, "namespace") !== undefined)
    throw new InvocationError("-A and -n contradict each other");
  await withCluster(input, context, async ({ client, namespace }) => {
    const { signal, now, schedule } = context;
    const objects = await loadTree(client, { namespace: isEverywhere ? undefined : namespace, signal });
    const items = findHelmItems(objects);
    const answered = await askAll(items, { client, operation, timeoutMs, timeoutText, signal, now, schedule });
    if (output === "json") context.writeJson(formatReportJson(answered));
    else if (items.length === 0)
      context.write(`no helm items in ${isEverywhere ? "any namespace" : `namespace "${namespace}"`}\n`);
    else context.write(formatReport(answered));
    const { unknown, changing, refused } = summarizeReport(answered);
    if (unknown > 0) throw new CommandExit(exitCodes.failure);
    if (flagOption(input, "exitCode") && changing + refused > 0) throw new CommandExit(exitCodes.changes);
  });
}

/** Throws InvocationError. */
function operationOf(input: CommandInput): string {
  switch (textOption(input, "helm")) {
    case undefined:
      return operations.planOtherHelm;
    case "3":
      return operations.planHelm3;
    case "4":
      return operations.planHelm4;
    default:
      throw new InvocationError(
        `--helm: expected 3 or 4, the major version of Helm, found "${textOption(input, "helm")}"`,
      );
  }
}

/** Asks for all items in their order, a few concurrently. If the command is interrupted, withdraws all requests and throws UsageError. */
async function askAll(items: readonly HelmItem[], options: AskOptions): Promise<ReportedItem[]> {
  const answered = new Map<HelmItem, ReportedItem>();
  const waiting = items.values();
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const work = async (): Promise<void> => {
    // Shared: each worker takes the next item.
    for (const item of waiting) {
      if (signal.aborted) return;
      answered.set(item, { ...item, ...(await askForSwitch(item.item, { ...options, signal })) });
    }
  };
  const workers = Array.from({ length: maxOpen }, async () => {
    try {
      await work();
    } catch (error) {
      stopping.abort();
      throw error;
    }
  });
  const ended = await Promise.allSettled(workers);
  if (options.signal.aborted) throw new UsageError("stopped: all open requests are withdrawn");
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return items.flatMap((item) => answered.get(item) ?? []);
}

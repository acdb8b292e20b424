import type { TransitionEvent } from "@landscaper/api";
import { cleanLine } from "../output/clean-text.ts";

/** Returns the line of an event. With `namesHub`, the line names the landscaper cluster. */
export function formatEvent({ time, data, source }: TransitionEvent, { namesHub = false } = {}): string {
  const { kind, namespace, name, phase, previousPhase, jobID = "", jobIDFinished = "", error, gap = false } = data;
  const job = jobID === "" ? [] : [`job ${jobID}${jobID === jobIDFinished ? " has ended" : ""}`];
  const before =
    previousPhase === undefined || previousPhase === phase ? [] : [`was ${previousPhase || "without phase"}`];
  const hub = namesHub ? [`hub ${source.replace(/^.*\//, "")}`] : [];
  const remarks = [...before, ...job, ...(gap ? ["after a gap"] : []), ...hub];
  const words = [time, kind, `${namespace}/${name}`, phase || "-"];
  const failure = error === undefined ? "" : `: ${error.reason}: ${error.message.replaceAll("\n", " ")}`;
  // Writers of a status, and other clients of NATS, must not fake the line of another event.
  return cleanLine(`${words.join(" ")}${remarks.length === 0 ? "" : ` (${remarks.join(", ")})`}${failure}`);
}

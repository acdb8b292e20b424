import { expect, it } from "@jest/globals";
import type { Pod } from "@landscaper/api";
import { hasProgramEnded } from "./has-program-ended.ts";

const ended = (exitCode: number, finishedAt: string): object => ({ state: { terminated: { exitCode, finishedAt } } });
const podOf = (phase: string, main: object, wait: object): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "item-1", uid: "1" },
  status: {
    phase,
    containerStatuses: [{ name: "main", ...main }],
    initContainerStatuses: [{ name: "wait", ...wait }],
  },
});
const running = { state: { running: {} } };

it.each([
  ["while the program runs", false, podOf("Running", running, running)],
  ["while its results are saved", false, podOf("Running", ended(0, "2026-01-01T00:00:01Z"), running)],
  [
    "before the phase of the Pod is final",
    true,
    podOf("Running", ended(0, "2026-01-01T00:00:01Z"), ended(0, "2026-01-01T00:00:02Z")),
  ],
  ["in a Pod without states of its containers", true, podOf("Failed", {}, {})],
])("hasProgramEnded %s: %s", (_when, expected, pod) => {
  expect(hasProgramEnded(pod)).toBe(expected);
});

import { expect, it } from "@jest/globals";
import type { Pod } from "@landscaper/api";
import { mainStateOf, type MainState } from "./main-state.ts";

const container = (name: string, state: object) => ({ name, state });

it.each<{ status: Pod["status"] | undefined; expected: MainState }>([
  { status: undefined, expected: { kind: "open" } },
  { status: { phase: "Pending" }, expected: { kind: "open" } },
  { status: { containerStatuses: [container("main", {})] }, expected: { kind: "open" } },
  { status: { containerStatuses: [container("main", { running: {} })] }, expected: { kind: "open" } },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "ContainerCreating" } })] },
    expected: { kind: "open" },
  },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "PodInitializing" } })] },
    expected: { kind: "open" },
  },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "ErrImageNeverPull" } })] },
    expected: { kind: "not started" },
  },
  {
    status: { containerStatuses: [container("main", { terminated: { exitCode: 0 } })] },
    expected: { kind: "ended", exitCode: 0 },
  },
  {
    status: { phase: "Failed", containerStatuses: [container("main", { terminated: { exitCode: 137 } })] },
    expected: { kind: "ended", exitCode: 137 },
  },
  // Another container has ended: the program runs on.
  {
    status: {
      containerStatuses: [container("wait", { terminated: { exitCode: 0 } }), container("main", { running: {} })],
    },
    expected: { kind: "open" },
  },
  { status: { phase: "Failed" }, expected: { kind: "ended", exitCode: undefined } },
])("a Pod with the status $status says $expected", ({ status, expected }) => {
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: {}, ...(status && { status }) };
  expect(mainStateOf(pod)).toEqual(expected);
});

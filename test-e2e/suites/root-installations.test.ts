import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { playedType, removeFinalizer, waitForJob, writePhase } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const text = { type: "string" };

describe.each(clustersUnderTest())("root Installations on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  it("scenario 11: are triggered by the one that exports what they import, and go before it", async () => {
    const scope = await environment.namespace("successor");
    const exporter = (word: string) =>
      inlineInstallation({
        name: "inst1",
        blueprint: {
          exports: [dataParameter("word", text)],
          deployExecutions: deployItems(mockItem("item", { export: { word } })),
          exportExecutions: goTemplate('exports: { word: {{ index .values.deployitems "item" "word" }} }\n'),
        },
        exports: { data: [{ name: "word", dataRef: "word" }] },
      });
    await scope.apply(
      inlineInstallation({
        name: "inst2",
        blueprint: {
          imports: [dataParameter("word", text)],
          exports: [dataParameter("answer", text)],
          deployExecutions: deployItems({
            name: "item",
            type: playedType,
            config: { apiVersion: "test/v1", kind: "Nothing" },
          }),
          exportExecutions: goTemplate('exports: { answer: "{{ .imports.word }}!" }\n'),
        },
        imports: { data: [{ name: "word", dataRef: "word" }] },
        exports: { data: [{ name: "answer", dataRef: "answer" }] },
        triggered: false,
      }),
    );
    /** The only item of inst2, when it was handed a job. */
    const secondItem = async (): Promise<string> => {
      const execution = await scope.until(
        resources.execution,
        "inst2",
        (found) => found?.status?.phase === "Progressing" || found?.status?.phase === "Deleting",
      );
      const items = await scope.deployItems(execution?.metadata.name ?? "");
      const { name = "" } = items.get("item")?.metadata ?? {};
      await waitForJob(scope, name);
      return name;
    };
    await scope.apply(exporter("hello"));
    const first = await scope.waitForPhase("inst1", "Succeeded");
    await writePhase(scope, await secondItem(), "Succeeded");
    const second = await scope.waitForPhase("inst2", "Succeeded");
    expect(await scope.exported("answer")).toBe("hello!");
    expect(second.metadata.annotations?.[annotations.operation]).toBeUndefined();
    const ended = Date.parse(first.status?.transitionTimes?.finishedTime ?? "");
    expect(Date.parse(second.status?.transitionTimes?.triggerTime ?? "")).toBeGreaterThanOrEqual(ended);

    await scope.apply(exporter("bye"));
    await scope.waitForPhase("inst1", "Succeeded");
    await writePhase(scope, await secondItem(), "Succeeded");
    await scope.until(resources.dataObject, "answer", (found) => found?.data === "bye!");
    await scope.waitForPhase("inst2", "Succeeded");

    await scope.delete(resources.installation, "inst1");
    await scope.delete(resources.installation, "inst2");
    const item = await secondItem();
    // As long as inst2 is not gone, inst1 waits.
    await scope.until(resources.installation, "inst1", (found) => found?.status?.phase === "InitDelete");
    expect((await scope.execution("inst1")).metadata.deletionTimestamp).toBeUndefined();
    await removeFinalizer(scope, item);
    await scope.untilGone(resources.installation, "inst2");
    await scope.untilGone(resources.installation, "inst1");
    expect(await scope.list(resources.deployItem)).toEqual([]);
  });
});

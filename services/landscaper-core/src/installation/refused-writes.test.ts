// What a job does while the API server answers its writes with an error that may pass.
import { afterEach, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { dataObject, deployItems, installation, stringParameter } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

describe("a job whose sub-objects cannot be written", () => {
  afterEach(() => setUp.cluster.server.setFault(undefined));

  it.each(["dataobjects", "executions"])(
    "writes its status once per error (%s), and retries with growing pauses",
    async (plural) => {
      const namespace = await setUp.namespace(`refused-${plural}`);
      let refused = 0;
      let statusWrites = 0;
      setUp.cluster.server.setFault(({ userAgent, method, path }) => {
        if (!userAgent.startsWith("core") || !path.includes(namespace.name)) return undefined;
        if (method === "PUT" && path.endsWith("/installations/root/status")) statusWrites++;
        if (method !== "POST" || !path.endsWith(`/${plural}`)) return undefined;
        refused++;
        return { status: 500 };
      });
      await namespace.create(resources.dataObject, dataObject("value", "one"));
      await namespace.create(
        resources.installation,
        installation({
          name: "root",
          blueprint: { imports: [stringParameter("value")], deploy: deployItems({ name: "item" }) },
          imports: { data: [{ name: "value", dataRef: "value" }] },
        }),
      );
      // Without pauses they come at once, each with a status of its own.
      await waitFor(() => refused >= 5);
      // The start of the job, its phase, and the error.
      expect(statusWrites).toBeLessThanOrEqual(3);
      const { status } = await namespace.get(resources.installation, "root");
      expect([status?.phase, status?.lastError?.reason]).toEqual(["Progressing", "ApiRequestFailed"]);
      setUp.cluster.server.setFault(undefined);
      const ended = await namespace.untilPhase("root", "Succeeded");
      expect(ended.status?.lastError).toBeUndefined();
    },
  );
});

// Runs before the container of a container item, and prepares its files. The container deployer starts it.
import { runInit } from "@landscaper/container-deployer-lib";
import { productVersion } from "@landscaper/api";
import { runProgram } from "@landscaper/controller-runtime";
import { createClient, loadConnection } from "@landscaper/controller-runtime";

const usage = {
  name: "container-deployer-init",
  version: productVersion,
  purpose:
    "Prepares the files of a container item. The container deployer starts it in the Pod of the item, with its settings as variables.",
};

await runProgram(
  async (surroundings) => {
    const connection = await loadConnection({ env: surroundings.env });
    const client = createClient({ connection, userAgent: "container-deployer-init" });
    try {
      await runInit({ ...surroundings, client });
    } finally {
      await client.close();
    }
  },
  { usage },
);

// Runs before the container of a container item, and prepares its files. The container deployer starts it.
import { runInit } from "@landscaper/container-deployer-lib";
import { runProgram } from "@landscaper/controller-runtime";
import { createClient, loadConnection } from "@landscaper/controller-runtime";

await runProgram(async (surroundings) => {
  const connection = await loadConnection({ env: surroundings.env });
  const client = createClient({ connection, userAgent: "container-deployer-init" });
  try {
    await runInit({ ...surroundings, client });
  } finally {
    await client.close();
  }
});

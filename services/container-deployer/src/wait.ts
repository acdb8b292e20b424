// Runs beside the container of a container item, and keeps its state and exports when it has ended. The container deployer starts it.
import { runWait } from "@landscaper/container-deployer-lib";
import { runProgram } from "@landscaper/controller-runtime";
import { createClient, createSystemClock, loadConnection } from "@landscaper/controller-runtime";

await runProgram(async (surroundings) => {
  const connection = await loadConnection({ env: surroundings.env });
  const client = createClient({ connection, userAgent: "container-deployer-wait" });
  try {
    await runWait({ ...surroundings, client, clock: createSystemClock(), random: Math.random });
  } finally {
    await client.close();
  }
});

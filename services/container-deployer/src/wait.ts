// Runs beside the container of a container item, and keeps its state and exports when it has ended. The container deployer starts it.
import { runWait, waitExitCode } from "@landscaper/container-deployer-lib";
import {
  createClient,
  createSystemClock,
  loadConnection,
  runProgram,
  type ProgramSurroundings,
} from "@landscaper/controller-runtime";

const run = async (surroundings: ProgramSurroundings): Promise<void> => {
  const connection = await loadConnection({ env: surroundings.env });
  const client = createClient({ connection, userAgent: "container-deployer-wait" });
  try {
    await runWait({ ...surroundings, client, clock: createSystemClock(), random: Math.random });
  } finally {
    await client.close();
  }
};

await runProgram(run, { exitCodeOf: waitExitCode });

// Runs beside the container of a container item, and keeps its state and exports when it has ended. The container deployer starts it.
import { runWait, waitExitCode } from "@landscaper/container-deployer-lib";
import { productVersion } from "@landscaper/api";
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

const usage = {
  name: "container-deployer-wait",
  version: productVersion,
  purpose:
    "Keeps state and exports of a container item. The container deployer starts it in the Pod of the item, with its settings as variables.",
};

await runProgram(run, { exitCodeOf: waitExitCode, usage });

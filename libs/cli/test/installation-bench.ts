// Commands on Installations of one namespace, for all tests of a file.
import { afterAll, beforeAll } from "@jest/globals";
import { resources, type Installation } from "@landscaper/api";
import { startTestCluster, type TestCluster } from "./cluster.ts";
import { installation, type InstallationState } from "./objects.ts";
import { runProgram, type RunOptions } from "./program.ts";

export interface InstallationBench {
  readonly cluster: TestCluster;
  /** Runs the command on the cluster. */
  readonly landscaper: (words: string, options?: RunOptions) => ReturnType<typeof runProgram>;
  /** An Installation as the core leaves it. */
  readonly put: (state: InstallationState) => Promise<Installation>;
  readonly read: (name: string) => Promise<Installation | undefined>;
  /** Merges into the status of an Installation, as the core does in the course of a job. */
  readonly setStatus: (name: string, status: object) => Promise<void>;
}

/** The cluster of all tests of a file, with the namespace "ns". */
export function useInstallations(): InstallationBench {
  let started: TestCluster | undefined;
  beforeAll(async () => {
    started = await startTestCluster("ns");
  });
  afterAll(async () => started?.stop());
  const cluster = (): TestCluster => {
    if (started === undefined) throw new Error("the cluster is not started yet");
    return started;
  };
  return {
    get cluster() {
      return cluster();
    },
    landscaper: (words, options) => runProgram([...words.split(" "), ...cluster().flags], options),
    put: async (state) => await cluster().put(resources.installation, installation(state)),
    read: async (name) => await cluster().client.find(resources.installation, { namespace: "ns", name }),
    setStatus: async (name, status) => void (await cluster().setStatus(resources.installation, name, status)),
  };
}

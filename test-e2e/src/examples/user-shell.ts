import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell as a user of the docs has it. */
export interface UserShell {
  /** Working directory of commands. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs lines up to the first that fails. */
  readonly run: (script: string, stdin?: string) => Promise<CommandResult>;
}

export interface UserShellOptions {
  /** Where commands run, and the user's home. */
  readonly folder: string;
  /** Folders that come first in PATH. */
  readonly programs: readonly string[];
  /** File in the folder that kubectl, helm and the command use; undefined if the docs name it. */
  readonly kubeconfig?: string;
  /** Further variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** PATH without what `npm run` and the workspace's scripts have put in front. */
function userPath(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((folder) => !folder.includes("node_modules")).join(delimiter);
}

export function createUserShell({ folder, programs, kubeconfig, variables }: UserShellOptions): UserShell {
  const env = {
    ...process.env,
    PATH: [...programs, userPath()].join(delimiter),
    // kubectl keeps what it knows of a server by the server's address, and another run may have had the same port.
    HOME: folder,
    KUBECONFIG: kubeconfig === undefined ? undefined : join(folder, kubeconfig),
    // Variables of jest workers and of suites, which a user's shell does not have.
    NODE_OPTIONS: undefined,
    JEST_WORKER_ID: undefined,
    TEST_FILE: undefined,
    MY_POD_NAME: undefined,
    MY_POD_NAMESPACE: undefined,
    NATS_URL: undefined,
    // Settings of the npm that runs the tests, such as --silent.
    ...Object.fromEntries(
      Object.keys(process.env)
        .filter((name) => name.startsWith("npm_"))
        .map((name) => [name, undefined]),
    ),
    ...variables,
  };
  return {
    folder,
    env,
    run: async (script, stdin = "") => {
      const child = spawn("bash", ["-e", "-c", script], { cwd: folder, env });
      const output = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].setEncoding("utf8").on("data", (chunk: string) => (output[stream] += chunk));
      }
      child.stdin.end(stdin);
      return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (status) => resolve({ status, ...output }));
      });
    },
  };
}

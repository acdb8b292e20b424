import type { RunningProcess } from "./start-process.ts";

/** Prints a line for each process that ends before the signal is aborted. Resolves when all have ended. */
export async function reportEnds(
  processes: readonly Pick<RunningProcess, "name" | "whenEnded" | "logFile">[],
  { signal, print }: { readonly signal: AbortSignal; readonly print: (line: string) => void },
): Promise<void> {
  const report = async ({ name, whenEnded, logFile }: (typeof processes)[number]): Promise<void> => {
    const end = await whenEnded;
    if (!signal.aborted) print(`${name} ${end}; its log is ${logFile}`);
  };
  await Promise.all(processes.map(report));
}

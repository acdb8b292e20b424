import { LandscaperError, parseCronSpec, parseDuration, type Installation } from "@landscaper/api";

/** Throws LandscaperError for a cron specification or interval of automaticReconcile that says nothing (docs/adr/0007). */
export function checkSchedules({ spec }: Installation): void {
  const { succeededReconcile, failedReconcile } = spec.automaticReconcile ?? {};
  for (const [name, schedule] of Object.entries({ succeededReconcile, failedReconcile })) {
    const { cronSpec = "", interval } = schedule ?? {};
    const field = `spec.automaticReconcile.${name}`;
    if (cronSpec !== "") check(`${field}.cronSpec`, () => parseCronSpec(cronSpec));
    if (interval !== undefined) check(`${field}.interval`, () => parseDuration(interval));
  }
}

function check(field: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    const { reason, codes, hint, retry } = error;
    throw new LandscaperError({ message: `${field}: ${error.message}`, reason, operation: "init", codes, hint, retry });
  }
}

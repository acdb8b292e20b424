import { pino } from "pino";
import type { DestinationStream } from "pino";
import type { Logger } from "./controller-interface.ts";

export interface LoggerOptions {
  readonly name: string;
  readonly level?: LogLevel | undefined;
  /** Where lines go; stdout, written synchronously, when absent. */
  readonly destination?: DestinationStream | undefined;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Members that never reach a log, whatever a caller passes: a second net, not a licence to pass them. */
const secretMembers = [
  "token",
  "accessToken",
  "password",
  "kubeconfig",
  "authorization",
  "Authorization",
  "data",
  "stringData",
  "cert",
  "key",
  "privateKey",
  "certificate-authority-data",
  "client-certificate-data",
  "client-key-data",
  "secret",
  "config",
  "values",
] as const;

/** JSON lines with levels as words and ISO time stamps. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level ?? "info",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), bindings: ({ name }: { name?: string }) => ({ name }) },
    redact: { paths: secretMembers.flatMap(redactionPaths), censor: "[...]" },
  };
  return pino(settings, options.destination ?? pino.destination({ dest: 1, sync: true }));
}

/** At the top and up to three levels down; object keys with dashes need quotes. */
function redactionPaths(member: string): string[] {
  const step = `["${member}"]`;
  return [step, `*${step}`, `*.*${step}`, `*.*.*${step}`];
}

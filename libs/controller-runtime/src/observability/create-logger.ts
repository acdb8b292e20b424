import { pino } from "pino";
import type { DestinationStream, Logger as PinoLogger } from "pino";
import type { Logger } from "../controller-interface.ts";
import { redactFields } from "./redact-fields.ts";

export interface LoggerOptions {
  readonly name: string;
  readonly level?: LogLevel | undefined;
  /** Where lines go; stdout, written synchronously, when absent. */
  readonly destination?: DestinationStream | undefined;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** JSON lines with levels as words and ISO time stamps; secret members are masked at any depth (pino's own paths know no depth). */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    base: { name: options.name },
    level: options.level ?? "info",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: redactFields },
  };
  return toLogger(pino(settings, options.destination ?? pino.destination({ dest: 1, sync: true })));
}

/** Pino does not pass the fields of a child through its formatters. */
function toLogger(logger: PinoLogger): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => toLogger(logger.child(redactFields(fields))),
  };
}

import { createLogger, type LogLevel, type Logger } from "@landscaper/controller-runtime";

export interface TestLogger extends Logger {
  /** The lines written so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** The same as text, for searches of values that must not be there. */
  readonly text: string;
}

/** A real logger, redaction included, that writes into memory. */
export function createTestLogger(level: LogLevel = "debug"): TestLogger {
  const written: string[] = [];
  const logger = createLogger({ name: "test", level, destination: { write: (line) => void written.push(line) } });
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => logger.child(fields),
    get lines() {
      return written.map((line): Record<string, unknown> => JSON.parse(line));
    },
    get text() {
      return written.join("");
    },
  };
}

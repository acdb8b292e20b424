import { describeError, type Logger } from "@landscaper/controller-runtime";

/** The logger with all texts masked on their way into the log. */
export function maskLog(log: Logger, mask: <T>(value: T) => T): Logger {
  const maskFields = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        mask(value instanceof Error ? describeError(value) : value),
      ]),
    );
  return {
    debug: (fields, message) => log.debug(maskFields(fields), mask(message)),
    info: (fields, message) => log.info(maskFields(fields), mask(message)),
    warn: (fields, message) => log.warn(maskFields(fields), mask(message)),
    error: (fields, message) => log.error(maskFields(fields), mask(message)),
    child: (fields) => maskLog(log.child(maskFields(fields)), mask),
  };
}

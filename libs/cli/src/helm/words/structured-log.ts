import { quote } from "@landscaper/golang";

export type LogLevel = "INFO" | "WARN" | "ERROR";

/** Returns a line as the text handler of Go's log/slog writes it, without a time. */
export function structuredLine(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const entries = Object.entries({ level, msg: message, ...fields });
  return `${entries.map(([name, value]) => `${name}=${fieldText(value)}`).join(" ")}\n`;
}

/** Returns the value, in quotes if it is empty or contains spaces, control characters, quotation marks or "=". */
function fieldText(value: string): string {
  const isPlain = value !== "" && !/[\s"=\p{C}\p{Z}]/u.test(value);
  return isPlain ? value : quote(value);
}

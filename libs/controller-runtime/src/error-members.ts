/** The machine-readable code of a system error, e.g. "ENOENT". */
export function errorCode(error: unknown): string | undefined {
  return textMember(error, "code");
}

/** The message of anything thrown; the code or a general word where there is none. */
export function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  return textMember(error, "message") ?? errorCode(error) ?? "unknown failure";
}

/** A member of an error that is a non-empty text. Errors are known by their shape: they may come from another realm. */
export function textMember(error: unknown, name: string): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

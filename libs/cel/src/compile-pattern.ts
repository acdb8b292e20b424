import { RE2JS, RE2JSException } from "re2js";

/** A linear-time regular expression in Go's syntax; a string says what is wrong with it, in Go's words. */
export function compilePattern(source: string): RE2JS | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) {
      return error.message;
    }
    throw error;
  }
}

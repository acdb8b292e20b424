import { redacted } from "@landscaper/api";

/** The message without quoted texts, but those that stand in `known` themselves. */
export function maskQuoted(message: string, known: string): string {
  return message.replace(/(["`'])((?:\\.|(?!\1)[^\\])*)\1/gs, (quoted: string, quote: string, text: string) =>
    known.includes(text) ? quoted : `${quote}${redacted}${quote}`,
  );
}

import { replaceLoneSurrogates } from "../values/go-json.ts";

/** Maximum length of user text in a message, such as a key or a path. */
const maxShown = 200;

/** Cuts a text after 200 characters, and marks the cut with dots. */
export function shortenText(text: string): string {
  return text.length <= maxShown ? text : `${replaceLoneSurrogates(text.slice(0, maxShown))}...`;
}

/** Quotes a text for a message, cut after 200 characters. */
export function quoteText(text: string): string {
  return JSON.stringify(shortenText(text));
}

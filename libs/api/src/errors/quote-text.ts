import { replaceLoneSurrogates } from "../values/go-json.ts";

/** Longest text of users, such as a key or a path, that a message shows as a whole. */
const maxShown = 200;

/** Returns at most 200 characters of a text; dots mark a cut. */
export function shortenText(text: string): string {
  return text.length <= maxShown ? text : `${replaceLoneSurrogates(text.slice(0, maxShown))}...`;
}

/** Returns the text for a message: in quotes, at most 200 characters. */
export function quoteText(text: string): string {
  return JSON.stringify(shortenText(text));
}

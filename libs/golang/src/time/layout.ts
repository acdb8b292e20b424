/** One element of a Go time layout, by what it stands for. */
export type LayoutElement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: LayoutKind; readonly text: string };

export type LayoutKind =
  | "longMonth"
  | "month"
  | "numMonth"
  | "zeroMonth"
  | "longWeekday"
  | "weekday"
  | "day"
  | "underDay"
  | "zeroDay"
  | "underYearDay"
  | "zeroYearDay"
  | "hour24"
  | "hour12"
  | "zeroHour12"
  | "minute"
  | "zeroMinute"
  | "second"
  | "zeroSecond"
  | "longYear"
  | "year"
  | "upperPm"
  | "lowerPm"
  | "zoneName"
  | "isoZone"
  | "numZone"
  | "fraction";

/** Texts of a layout and what they stand for; longer ones first where one is the start of another. */
const elements: readonly (readonly [text: string, kind: LayoutKind])[] = [
  ["January", "longMonth"],
  ["Jan", "month"],
  ["Monday", "longWeekday"],
  ["MST", "zoneName"],
  ["Mon", "weekday"],
  ["002", "zeroYearDay"],
  ["01", "zeroMonth"],
  ["02", "zeroDay"],
  ["03", "zeroHour12"],
  ["04", "zeroMinute"],
  ["05", "zeroSecond"],
  ["06", "year"],
  ["15", "hour24"],
  ["1", "numMonth"],
  ["2006", "longYear"],
  ["2", "day"],
  ["__2", "underYearDay"],
  ["_2006", "longYear"],
  ["_2", "underDay"],
  ["3", "hour12"],
  ["4", "minute"],
  ["5", "second"],
  ["PM", "upperPm"],
  ["pm", "lowerPm"],
  ["-07:00:00", "numZone"],
  ["-070000", "numZone"],
  ["-07:00", "numZone"],
  ["-0700", "numZone"],
  ["-07", "numZone"],
  ["Z07:00:00", "isoZone"],
  ["Z070000", "isoZone"],
  ["Z07:00", "isoZone"],
  ["Z0700", "isoZone"],
  ["Z07", "isoZone"],
];

/** Splits a layout as Go's nextStdChunk does. */
export function parseLayout(layout: string): LayoutElement[] {
  const result: LayoutElement[] = [];
  let text = "";
  for (let i = 0; i < layout.length;) {
    const found = elementAt(layout, i);
    if (found === undefined) {
      text += layout.charAt(i++);
      continue;
    }
    i += found.text.length;
    // "_2006" is a literal underscore and the year.
    if (found.text === "_2006") text += "_";
    if (text !== "") result.push({ kind: "text", text });
    text = "";
    result.push(found.text === "_2006" ? { kind: "longYear", text: "2006" } : found);
  }
  if (text !== "") result.push({ kind: "text", text });
  return result;
}

function elementAt(layout: string, at: number): LayoutElement | undefined {
  const fraction = /^[.,](0+|9+)(?![0-9])/.exec(layout.slice(at));
  if (fraction !== null) return { kind: "fraction", text: fraction[0] };
  for (const [text, kind] of elements) {
    if (!layout.startsWith(text, at)) continue;
    // "Janet" and "Month" are words, not names of a month or day.
    if (/^(Jan|Mon)$/.test(text) && /^[a-z]/.test(layout.slice(at + text.length))) continue;
    return { kind, text };
  }
  return undefined;
}

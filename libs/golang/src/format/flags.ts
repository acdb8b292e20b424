/** Flags, width and precision of one verb. */
export interface Flags {
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** `%+v` and `%#v`: as Go, they replace plus and sharp for that verb. */
  readonly plusV: boolean;
  readonly sharpV: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

export const noFlags: Flags = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
};

/** Runes of a text, for widths. */
function runeCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Pads to the width, left or right, with zeros if so flagged. */
export function pad(text: string, flags: Flags): string {
  if (flags.width === undefined || flags.width === 0) return text;
  const missing = flags.width - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + " ".repeat(missing);
  return (flags.zero ? "0" : " ").repeat(missing) + text;
}

/** Pads with spaces whatever the zero flag says. */
export function padSpaces(text: string, flags: Flags): string {
  return flags.zero ? pad(text, { ...flags, zero: false }) : pad(text, flags);
}

/** Cuts a string to the precision, in runes. */
export function truncate(text: string, flags: Flags): string {
  if (flags.precision === undefined || text.length <= flags.precision) return text;
  return Array.from(text).slice(0, flags.precision).join("");
}

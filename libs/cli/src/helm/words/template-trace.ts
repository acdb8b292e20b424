import { trimSpace } from "@landscaper/golang";

/** Frame of a template error. Helm cuts the message where the text of another error begins. */
const frame = /^template: ([^]+?): (executing "[^"]*" at <[^]*?>:) ([^]*?)(?: template:[^]*)?$/;
/** Template error without an action. If the name of a template contains a quotation mark, its action counts as part of the place. */
const plainFrame = /^template: ([^]*): ([^]*?)(?: template:[^]*)?$/;
/** Error of a function, after its place. */
const functionError = /^template: [^]+?: executing "(?:[^"\\]|\\.)*" at <[^]*?>: error calling [^:]+: ([^]*)$/;

/**
 * Formats the error of a template as Helm 4 prints it: three lines for each frame, and equal frames in a row once. An error of a function other
 * than `include` keeps its one line. `message`: text that Helm 3 prints.
 */
export function templateTrace(message: string): string {
  const frames: string[] = [];
  for (let rest: string | undefined = message; rest !== undefined; rest = functionError.exec(rest)?.[1]) {
    const text = frameText(rest);
    if (text === undefined) return message;
    if (frames.at(-1) !== text) frames.push(text);
  }
  return trimSpace(frames.join(""));
}

function frameText(message: string): string | undefined {
  if (message.startsWith("template: no template ")) return `${message}\n`;
  const [, place, action = "", reason = ""] = frame.exec(message) ?? [];
  if (place !== undefined) return `${place}\n  ${action}\n    ${line(reason)}`;
  const [, location, text = ""] = plainFrame.exec(message) ?? [];
  return location === undefined ? undefined : `${location}\n  ${line(text)}`;
}

function line(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

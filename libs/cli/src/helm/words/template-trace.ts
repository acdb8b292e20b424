/** A frame of a template's error: place, action and reason. Helm reads each part as short as possible. */
const frame = /^template: (.+?): (executing "[^]+?" at <[^]+?>): ([^]+)$/;
/** A reason that another frame, or a missing template, follows. */
const nested = /^(error calling include:) (template: [^]+)$/;
const missingTemplate = /^template: no template "[^]*" associated with template "[^]*"$/;

/**
 * Returns the error of a template as Helm 4 prints it: three lines for each frame. An error of a function other than `include` keeps its one
 * line. `message`: as Helm 3 prints it.
 */
export function templateTrace(message: string): string {
  const frames = framesOf(message);
  return frames === undefined ? message : frames.join("\n");
}

function framesOf(message: string): string[] | undefined {
  if (missingTemplate.test(message)) return [message];
  const [, place, action, reason] = frame.exec(message) ?? [];
  if (place === undefined || action === undefined || reason === undefined) return undefined;
  const own = (text: string): string => `${place}\n  ${action}:\n    ${text}`;
  const [, call, inner] = nested.exec(reason) ?? [];
  if (call !== undefined && inner !== undefined) {
    const rest = framesOf(inner);
    return rest === undefined ? undefined : [own(call), ...rest];
  }
  return reason.startsWith("error calling ") ? undefined : [own(reason)];
}

import { isDeepStrictEqual } from "node:util";
import { didYouMean, LandscaperError, maskDifferences, redacted, redactLeaves } from "@landscaper/api";
import { isRecord } from "../parameter/describe-value.ts";
import type { RenderContext } from "../render-context.ts";
import { blueprintText } from "./blueprint-text.ts";
import { frankMessageOf } from "./frank-message.ts";
import { maskQuoted } from "./mask-quoted.ts";
import { secretKeys } from "./secret-keys.ts";
import type { NamedBinding, SecretWatch } from "./secret-watch.ts";
import { observeContext, replayContext, shadowContext } from "./shadow-context.ts";

/** A value, and what it would be with other texts in place of the secrets that it was made from. */
export interface Traced<T> {
  readonly value: T;
  /** What differs from `value` derives from secrets. `value` itself when nothing does; undefined when everything may. */
  readonly shadow: T | undefined;
  /** The same with only imported secrets replaced: what was drawn by chance, and stored state, are as they were. */
  readonly confirm: () => T | undefined;
}

/** What a rendering starts from. */
export type TracedInput<I> = Omit<Traced<I>, "confirm">;

export interface TraceOptions<I, T> {
  readonly context: RenderContext;
  readonly input: TracedInput<I>;
  /** The input with only imported secrets replaced; default the shadow. */
  readonly importsOnly?: I | undefined;
  /** Must be pure: it may be called twice. */
  readonly run: (context: RenderContext, input: I) => T;
  /** The maps in the input that templates see under these names. */
  readonly bindingsOf: (input: I) => Readonly<Partial<Record<NamedBinding, unknown>>>;
  /** Keys of the bindings that name objects and their exports. Messages show them, even if every value below them is secret. */
  readonly namesOf?: ((input: I) => readonly string[]) | undefined;
  /** Whether the result holds secret input that no template has read. */
  readonly passesInput: boolean;
}

/**
 * Renders, and when that has read something secret renders again with other texts in place of all secrets (docs/adr/0023-masking-by-provenance.md).
 * What a failure says then shows nothing that differs between the two: its author's words, names and other values stay.
 */
export function traceSecrets<I, T>(options: TraceOptions<I, T>): Traced<T> {
  const { input, run } = options;
  const hasSecrets = input.shadow !== input.value;
  let isTouched = hasSecrets && options.passesInput;
  const touch = (): void => {
    isTouched = true;
  };
  const secretWatch = hasSecrets ? createWatch(options, touch) : undefined;
  const observed = observeContext(options.context, touch);
  const renderAgain = (more: Pick<RenderContext, "isShadow">): T | undefined => {
    if (input.shadow === undefined) return undefined;
    return run({ ...shadowContext(options.context, observed.drawn), ...more }, input.shadow);
  };
  let value: T;
  try {
    value = run(secretWatch === undefined ? observed.context : { ...observed.context, secretWatch }, input.value);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    if (!isTouched) throw frankly(error);
    throw withoutKeys(
      maskFailure(error, () => renderAgain({}), options.context),
      options,
    );
  }
  const confirm = (): T | undefined => {
    const { importsOnly = input.shadow, context } = options;
    if (importsOnly === undefined) return undefined;
    return orUndefined(() => run(replayContext(context, observed.drawn), importsOnly));
  };
  return { value, shadow: isTouched ? orUndefined(() => renderAgain({ isShadow: true })) : value, confirm };
}

/** A suggestion with a masked name, which is useless. */
const maskedSuggestion = didYouMean(redacted);

/** Masks keys of secret maps in a failure, which may print a whole map or name its fields. */
function withoutKeys<I, T>(
  error: LandscaperError,
  { input, bindingsOf, namesOf, context }: TraceOptions<I, T>,
): LandscaperError {
  const known = blueprintText(context);
  const names = new Set(namesOf?.(input.value));
  const shadow = input.shadow === undefined ? undefined : bindingsOf(input.shadow);
  const keys = secretKeys({ value: bindingsOf(input.value), shadow }, (key) => names.has(key) || known.includes(key));
  if (keys.length === 0) return error;
  const mask = (text: string): string => redactLeaves(text, keys).replaceAll(maskedSuggestion, "");
  return error.with({
    isMasked: true,
    message: mask(error.message),
    hint: error.hint === undefined ? undefined : mask(error.hint),
  });
}

function createWatch<I, T>({ input, bindingsOf }: TraceOptions<I, T>, note: () => void): SecretWatch {
  const bindings = bindingsOf(input.value);
  const shadows = input.shadow === undefined ? undefined : bindingsOf(input.shadow);
  const known = new Map<string, boolean>();
  const isSecret = (binding: NamedBinding, name: string): boolean => {
    const key = `${binding}.${name}`;
    const [values, others] = [bindings[binding], shadows?.[binding]];
    if (!isRecord(values) || !isRecord(others)) return true;
    const found = known.get(key) ?? !isDeepStrictEqual(values[name], others[name]);
    known.set(key, found);
    return found;
  };
  return { isSecret, note, noteAll: note };
}

/** A second rendering that fails shows nothing; what is not of ours is a defect, and must not be hidden. */
function orUndefined<T>(render: () => T): T | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}

function failureOf(render: () => unknown): LandscaperError | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
}

function maskFailure(error: LandscaperError, renderAgain: () => unknown, context: RenderContext): LandscaperError {
  // The second rendering would exceed its limits as well.
  const other = isOverBudget(error) ? undefined : failureOf(renderAgain);
  if (other !== undefined && isSameFailure(error, other)) {
    return error.with({
      isMasked: true,
      message: maskDifferences(frankText(error), frankText(other)),
      hint: error.hint === undefined ? undefined : maskDifferences(error.hint, other.hint ?? ""),
    });
  }
  const strict = (text: string): string => maskQuoted(text, blueprintText(context));
  return error.with({
    isMasked: true,
    message: frankMessageOf(error) === undefined ? strict(error.message) : error.message,
    hint: error.hint === undefined ? undefined : strict(error.hint),
  });
}

function isOverBudget({ reason, message }: LandscaperError): boolean {
  return reason === "ContentLimitExceeded" || message.includes(": budget exceeded: ");
}

/** Whether two failures are of the same rule in the same place. */
function isSameFailure(one: LandscaperError, other: LandscaperError): boolean {
  return (
    one.reason === other.reason &&
    isDeepStrictEqual(one.at, other.at) &&
    ruleOf(frankText(one)) === ruleOf(frankText(other))
  );
}

/** Which template function failed, if one did. */
function ruleOf(message: string): string | undefined {
  return /: error calling (\w+): /.exec(message)?.[1];
}

function frankText(error: LandscaperError): string {
  return frankMessageOf(error) ?? error.message;
}

function frankly(error: LandscaperError): LandscaperError {
  return error.with({ isMasked: true, message: frankText(error), hint: error.hint });
}

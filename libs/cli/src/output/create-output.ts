import { cleanText, escapeJson } from "./clean-text.ts";
import { createScreen, type Screen, type Terminal } from "./screen.ts";
import { paintLines, type StyledLine } from "./styled-text.ts";

/** Destination of an Output, which is its only writer. */
export interface OutputSink {
  /** Writes to stdout. */
  readonly out: (text: string) => void;
  /** Writes to stdout; resolves once stdout has taken the bytes. */
  readonly outBytes: (bytes: Uint8Array) => Promise<void>;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  /** Terminal of stdout; undefined if stdout is a file or a pipe. */
  readonly terminal?: Terminal | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ContentOptions {
  /** Whether a terminal gets the content unchanged, too: the option --raw. */
  readonly isRaw: boolean;
  /** Replaces the unsafe characters of the content. Default: cleanText. */
  readonly clean?: (text: string) => string;
}

/**
 * Output of a command. Texts may contain parts from clusters, registries, charts and components. All methods but `writeContent` and `writeBytes` replace
 * their unsafe characters.
 */
export interface Output {
  /** Writes a message, a table or a report to stdout. */
  readonly write: (text: string) => void;
  /** Writes a warning or an error to stderr. */
  readonly writeError: (text: string) => void;
  /** Writes JSON to stdout, with escapes for unsafe characters: it parses to the same value. */
  readonly writeJson: (text: string) => void;
  /** Writes lines to stdout, with colours on a terminal unless NO_COLOR is set. */
  readonly writeLines: (lines: readonly StyledLine[]) => void;
  /** Writes content that the user requested to stdout: unchanged to a file or pipe, cleaned to a terminal unless `isRaw` is set. */
  readonly writeContent: (text: string, options: ContentOptions) => void;
  /** Like `writeContent`, for a stream of bytes. */
  readonly writeBytes: (content: AsyncIterable<Uint8Array>, options: ContentOptions) => Promise<void>;
  /** Opens a Screen on stdout, for a text that changes. */
  readonly createScreen: (options: { readonly heading: () => string }) => Screen;
  /** Terminal of stdout; undefined if stdout is a file or a pipe. */
  readonly terminal?: Terminal | undefined;
}

export function createOutput({ out, outBytes, err, terminal, environment }: OutputSink): Output {
  const hasColor = terminal !== undefined && environment["NO_COLOR"] === undefined;
  const isCleaned = ({ isRaw }: ContentOptions): boolean => terminal !== undefined && !isRaw;
  return {
    terminal,
    write: (text) => out(cleanText(text)),
    writeError: (text) => err(cleanText(text)),
    writeJson: (text) => out(escapeJson(text)),
    writeLines: (lines) =>
      out(
        paintLines(lines, hasColor)
          .map((line) => `${line}\n`)
          .join(""),
      ),
    writeContent: (text, options) => out(isCleaned(options) ? (options.clean ?? cleanText)(text) : text),
    writeBytes: async (content, options) => {
      if (!isCleaned(options)) {
        for await (const part of content) await outBytes(part);
        return;
      }
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      for await (const part of content) out(cleanText(decoder.decode(part, { stream: true })));
      out(cleanText(decoder.decode()));
    },
    createScreen: ({ heading }) => createScreen({ draw: out, terminal, hasColor, heading }),
  };
}

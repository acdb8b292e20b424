import { cleanText, escapeJson } from "./clean-text.ts";
import { createScreen, type Screen, type Terminal } from "./screen.ts";
import { paintLines, type StyledLine } from "./styled-text.ts";

/** Where output ends up. Only an Output writes there. */
export interface OutputSink {
  /** To stdout. */
  readonly out: (text: string) => void;
  /** To stdout; resolves once more can be written. */
  readonly outBytes: (bytes: Uint8Array) => Promise<void>;
  /** To stderr. */
  readonly err: (text: string) => void;
  /** What stdout is; undefined when it is a file or a pipe. */
  readonly terminal?: Terminal | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ContentOptions {
  /** Whether a terminal gets the content unchanged, too: the option --raw. */
  readonly isRaw: boolean;
  /** Makes the content harmless for a terminal. Default: cleanText. */
  readonly clean?: (text: string) => string;
}

/**
 * Everything that a command writes. Texts may have parts from clusters, registries, charts and components: no character of theirs controls a terminal or
 * hides from a reader.
 */
export interface Output {
  /** Writes a message, a table or a report to stdout, cleaned. */
  readonly write: (text: string) => void;
  /** Writes a warning or an error to stderr, cleaned. */
  readonly writeError: (text: string) => void;
  /** Writes JSON to stdout; unsafe characters are escaped, so that it parses to the same value. */
  readonly writeJson: (text: string) => void;
  /** Writes lines to stdout, coloured on a terminal unless NO_COLOR is set; their texts are cleaned. */
  readonly writeLines: (lines: readonly StyledLine[]) => void;
  /** Writes content that was asked for to stdout: unchanged to a file or pipe, cleaned to a terminal unless it is raw. */
  readonly writeContent: (text: string, options: ContentOptions) => void;
  /** The same for bytes, as they come. */
  readonly writeBytes: (content: AsyncIterable<Uint8Array>, options: ContentOptions) => Promise<void>;
  /** Shows one text that changes on stdout; see Screen. */
  readonly createScreen: (options: { readonly heading: () => string }) => Screen;
  /** What stdout is; undefined when it is a file or a pipe. */
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

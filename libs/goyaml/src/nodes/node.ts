import type { ScalarStyle } from "../scan/token.ts";

export type { ScalarStyle };

/** What all nodes have. Offsets are indices into the text (UTF-16 code units), lines and columns count from 1. */
interface NodeBase {
  /** Where the node begins, with its tag and anchor. */
  readonly start: number;
  /** Offset after the node; of a block collection where the next token begins. */
  end: number;
  readonly line: number;
  readonly column: number;
  /** The tag as a whole ("tag:yaml.org,2002:str"); "!" and undefined as they are. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

/** A leaf. A value that is left out is a plain scalar with an empty text. */
export interface YamlScalar extends NodeBase {
  readonly kind: "scalar";
  /** The text without quotes, escapes and line folding; see resolveScalar for its meaning. */
  readonly text: string;
  readonly style: ScalarStyle;
}

export interface YamlSequence extends NodeBase {
  readonly kind: "sequence";
  readonly items: YamlNode[];
  readonly isFlow: boolean;
}

export interface YamlMapping extends NodeBase {
  readonly kind: "mapping";
  /** In the order of the text, with repeated keys and merge keys as they stand there. */
  readonly entries: YamlEntry[];
  readonly isFlow: boolean;
}

export interface YamlEntry {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface YamlAlias extends NodeBase {
  readonly kind: "alias";
  readonly name: string;
  /** What had the anchor last before the alias; may be a collection around the alias itself. */
  readonly target: YamlNode;
}

export type YamlNode = YamlScalar | YamlSequence | YamlMapping | YamlAlias;

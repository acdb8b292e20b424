import type { ErrorCode } from "yaml";

/** Problem and remedy by the error code of the parser. */
const words: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias has an anchor or a tag; remove it",
  BAD_ALIAS: "an alias or an anchor has no valid name; correct it, or quote the value",
  BAD_COLLECTION_TYPE: "a tag does not fit the value; remove the tag",
  BAD_DIRECTIVE: "a line that begins with % is not a valid directive; correct it, or quote the value",
  BAD_DQ_ESCAPE: 'a backslash between " begins an unknown escape; write it twice, or use single quotes',
  BAD_INDENT: "the indentation does not fit the lines before, or a closing brace or bracket is missing; correct it",
  BAD_PROP_ORDER: "an anchor or a tag is in the wrong place; put it directly before its value",
  BAD_SCALAR_START: "a character cannot start a value; quote the value",
  BLOCK_AS_IMPLICIT_KEY:
    "a second colon or a list follows a key in the same line; quote the value, or begin a new line",
  BLOCK_IN_FLOW: "a map or list by indentation is between braces or brackets; write it in one form",
  DUPLICATE_KEY: "a key is used twice in a map; remove one of them",
  IMPOSSIBLE: "the parser cannot read it; simplify it",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters; shorten it",
  MISSING_CHAR: "a character is missing, such as the colon after a key, or a closing quote, brace or bracket; add it",
  MULTILINE_IMPLICIT_KEY: "a key is longer than a line; write it in one line, or quote the value before it",
  MULTIPLE_ANCHORS: "a value has several anchors; remove all but one",
  MULTIPLE_DOCS: "several documents are in the text; keep one",
  MULTIPLE_TAGS: "a value has several tags; remove all but one",
  NON_STRING_KEY: "a key is not a text; quote it",
  RESOURCE_EXHAUSTION: "lists and maps are nested too deep; nest fewer levels",
  TAB_AS_INDENT: "a tab is used as indentation; indent with spaces",
  TAG_RESOLVE_FAILED: "a tag is unknown, or does not fit its value; remove the tag",
  UNEXPECTED_TOKEN: "a character or word is in an unexpected place; correct it, or quote the value",
};

/** Explains an error of the library `yaml` by its code, because the message of the library may quote the text. */
export function describeYamlFailure(code: string): string {
  return (words as Readonly<Record<string, string | undefined>>)[code] ?? words.IMPOSSIBLE;
}

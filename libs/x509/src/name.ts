import { objectId, sequence, set, text } from "./der-writer.ts";
import { type Element, expectElement, readAll, readObjectId, readSequence } from "./der-reader.ts";

/** A distinguished name. The values of one field stand in one set, fields in this order, as Go writes them. */
export interface Name {
  readonly country?: readonly string[];
  readonly organization?: readonly string[];
  readonly commonName?: string;
}

const fields = { country: "2.5.4.6", organization: "2.5.4.10", commonName: "2.5.4.3" } as const;

/** Empty fields are left out. */
export function encodeName({ country = [], organization = [], commonName = "" }: Name): Buffer {
  const names = commonName === "" ? [] : [commonName];
  const parts: [string, readonly string[]][] = [
    [fields.country, country],
    [fields.organization, organization],
    [fields.commonName, names],
  ];
  return sequence(
    ...parts
      .filter(([, values]) => values.length > 0)
      .map(([id, values]) => set(...values.map((value) => sequence(objectId(id), text(value))))),
  );
}

/** The fields that we know of a name; of several common names the last one counts, as in Go. */
export function decodeName(der: Buffer): Required<Name> {
  const values = readSequence(der).flatMap((part) => readAll(part.content).map(decodeAttribute));
  const of = (id: string): string[] => values.filter((value) => value.id === id).map((value) => value.text);
  return {
    country: of(fields.country),
    organization: of(fields.organization),
    commonName: of(fields.commonName).at(-1) ?? "",
  };
}

function decodeAttribute({ raw }: Element): { id: string; text: string } {
  const parts = readSequence(raw);
  return { id: readObjectId(expectElement(parts, 0, 0x06).content), text: decodeText(parts[1]) };
}

/** BMPString is UTF-16; the other kinds of text are read as UTF-8. */
function decodeText(element: Element | undefined): string {
  if (element === undefined) return "";
  return element.tag === 0x1e ? new TextDecoder("utf-16be").decode(element.content) : element.content.toString("utf8");
}

import type { Markers } from "../../document/markers.ts";
import type { Cell } from "../../value/cell.ts";
import { pathNames, type Environment } from "../environment.ts";
import { failLocally, issueOf } from "../failure.ts";

interface Tag {
  readonly cell: Cell;
  readonly isGlobal: boolean;
  /** Document and path of the node, to tell a second definition from the same node made again. */
  readonly place: string;
}

/** Names of nodes over the documents of a merge: components are joined by ":". */
export class TagTable {
  readonly #tags = new Map<string, Tag>();
  readonly #documents: Cell[] = [];

  /** Starts a stub, or the template: local tags are forgotten. */
  beginLevel(): void {
    for (const [name, { isGlobal }] of this.#tags) if (!isGlobal) this.#tags.delete(name);
  }

  /** Keeps an evaluated document of the template for `doc:N`. */
  endDocument(root: Cell): void {
    this.#documents.push(root);
  }

  /** Names a node. Returns the place of another node that has the name already. */
  add(
    name: string,
    tag: { readonly cell: Cell; readonly isGlobal: boolean; readonly path: string },
  ): string | undefined {
    const place = `${this.#documents.length}:${tag.path}`;
    const other = this.#tags.get(name);
    if (other !== undefined && other.place !== place) {
      return other.place.startsWith(`${this.#documents.length}:`)
        ? `<-> ${other.place.slice(other.place.indexOf(":") + 1)}`
        : "in foreign document";
    }
    this.#tags.set(name, { cell: tag.cell, isGlobal: tag.isGlobal, place });
    return undefined;
  }

  get(name: string): Cell | undefined {
    return this.#tags.get(name)?.cell;
  }

  /** Nodes whose tag has more components, fewest components first. */
  below(name: string): { readonly name: string; readonly level: number; readonly cell: Cell }[] {
    return [...this.#tags]
      .filter(([tag]) => tag.startsWith(`${name}:`))
      .map(([tag, { cell }]) => ({ name: tag, level: tag.split(":").length, cell }))
      .toSorted((a, b) => a.level - b.level || (a.name < b.name ? -1 : 1));
  }

  /** The document with a number from 1, or counted back from the one in evaluation (0). */
  document(index: number): Cell | undefined {
    return index > 0 ? this.#documents[index - 1] : this.#documents.at(index);
  }
}

/** Makes a node known by its tags, when the node is made. */
export function registerTags(markers: Markers, cell: Cell, environment: Environment): void {
  const path = pathNames(environment.path).join(".");
  for (const { name, isGlobal } of markers.tags) {
    const other = environment.document.tags.add(name, { cell, isGlobal, path });
    if (other === undefined) continue;
    cell.state = "failed";
    cell.failure = { tag: "*", issue: issueOf(`duplicate tag "${name}": ${path} ${other}`), isStuck: true };
  }
}

/** Checks the name of a tag that is made by tagdef. */
export function checkTagName(name: string): string {
  const isValid = /^[A-Za-z][A-Za-z0-9_-]*(?:[:.][A-Za-z][A-Za-z0-9_-]*)*$/.test(name) && !/^doc[:.]/.test(name);
  return isValid ? name.replaceAll(".", ":") : failLocally("invalid tag name for tagdef");
}

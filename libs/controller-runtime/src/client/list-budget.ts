import type { ForeignServerLimits, SizeLimit } from "../foreign/foreign-servers.ts";
import { answerTooLarge } from "./read-answer.ts";

/** What is left of the limits of a list while its pages come. */
export interface ListBudget {
  /** Objects that the next page is asked for. */
  readonly pageSize: number;
  readonly pageLimit: SizeLimit;
  /** Throws when the list has too many pages. */
  beginPage(asked: { readonly place: string; readonly server: string }): void;
  spend(bytes: number): void;
  /** A page was too large: false when smaller ones cannot help. */
  shrinkPages(): boolean;
}

const defaultPageSize = 250;
/** A page may hold two of the largest objects, so that a page of one object is never too large by what surrounds the object. */
const objectsPerPage = 2;
/** A server may send pages for ever that hold nothing. */
const maxPages = 2_000;
/** A page of 7 holds any 7 objects of an API server, which are 1.5 MiB at most; what is still too large then is tried one by one. */
const shrinkBy = 32;

export function createListBudget(limits: ForeignServerLimits, pageSize = defaultPageSize): ListBudget {
  const pageBytes = objectsPerPage * limits.object.bytes;
  let size = pageSize;
  let remaining = limits.list.bytes;
  let pages = 0;
  return {
    get pageSize() {
      return size;
    },
    get pageLimit() {
      // What is left of the list may be less than a page: then it is the list that is too large.
      return remaining < pageBytes
        ? { bytes: remaining, setting: limits.list.setting }
        : { bytes: pageBytes, setting: limits.object.setting };
    },
    beginPage: (asked) => {
      pages++;
      if (pages > maxPages) throw answerTooLarge({ ...limits.list, ...asked });
    },
    spend: (bytes) => {
      remaining -= bytes;
    },
    shrinkPages: () => {
      if (size <= 1 || remaining < pageBytes) return false;
      size = Math.max(1, Math.floor(size / shrinkBy));
      return true;
    },
  };
}

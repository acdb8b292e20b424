import { LandscaperError } from "@landscaper/api";

/** Bytes of content that are read to verify one component with all that it refers to. */
export const maxHashedBytes = 16 * 1024 ** 3;

/** Counts what is read to be hashed. */
export interface HashBudget {
  /** The same bytes. Throws LandscaperError once all streams together have more than the allowed ones. */
  counted(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

export function createHashBudget(limit = maxHashedBytes): HashBudget {
  let bytes = 0;
  return {
    async *counted(stream) {
      for await (const part of stream) {
        bytes += part.length;
        if (bytes > limit) {
          throw new LandscaperError({
            message: `components: the content that is to be verified has more than the allowed ${limit} bytes`,
            reason: "ContentLimitExceeded",
            codes: ["ERR_CONFIGURATION_PROBLEM"],
            retry: "never",
          });
        }
        yield part;
      }
    },
  };
}

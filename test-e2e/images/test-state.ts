import type { SourceState } from "../../scripts/images/source-state.ts";

/** What the images of the suites say of their sources: the same for all commits, so that equal sources give equal images. */
export const testState: SourceState = {
  revision: "0123456789abcdef",
  source: "https://git.example.com/landscaper",
  epoch: 1_700_000_000,
};

import { join } from "node:path";

/** Files of the public guided tour; they stand beside the project, not in it. */
export const examplesFolder = join(import.meta.dirname, "../../../shared/examples/guided-tour");

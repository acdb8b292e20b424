export type * from "./client-interface.ts";
export type * from "./controller-interface.ts";

/** How long `landscaper diff` waits for the deployers. */
export const defaultTimeout = "2m";

/**
 * Template functions that need components or clusters (core.md §3.7). Synchronous: an implementation that needs I/O
 * throws what its caller understands as "fetch this, then render again" (helm.md §4.7).
 */
export interface TemplateHost {
  /** Additional functions by name, called with plain values (numbers, strings, maps as objects). */
  readonly functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
}

import { LandscaperError } from "@landscaper/api";

/** A request that the egress policy denies. It is not sent, and trying again does not help. */
export class EgressError extends LandscaperError {
  /** The host that was asked for, without port and brackets. */
  override readonly host: string;

  constructor(message: string, { host, hint }: { readonly host: string; readonly hint: string }) {
    super({ message, reason: "EgressDenied", codes: ["ERR_CONFIGURATION_PROBLEM"], hint, retry: "never" });
    this.host = host;
  }

  /** The same denial, with what was asked for in front: the field of a Target or chart. */
  within(place: string): EgressError {
    return new EgressError(`${place}: ${this.message}`, { host: this.host, hint: this.hint ?? "" });
  }
}

/** What a check denies, with the place of what was checked in front. */
export function atPlace<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof EgressError ? error.within(place) : error;
  }
}

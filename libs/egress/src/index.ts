export { connectionSecrets, maskConnection, maskConnectionIn, type ConnectionSecrets } from "./connection-mask.ts";
export { bareHost } from "./bare-host.ts";
export { atPlace, EgressError } from "./egress-error.ts";
export { createEgressPolicy, portOf, type EgressOptions, type EgressPolicy, type EgressRole } from "./egress-policy.ts";
export { parseHostRule, type HostRule } from "./host-rule.ts";
export type { ResolveHost } from "./own-addresses.ts";
export { maskedCause, maskErrorTexts, maskFailure } from "./mask-failure.ts";
export { createServiceEgress, type ServiceSurroundings } from "./service-egress.ts";

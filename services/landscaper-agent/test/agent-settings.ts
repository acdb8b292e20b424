import type { AgentSettings } from "../src/agent-settings.ts";
import { readSettings } from "../src/agent-settings.ts";

/** As the configuration and two kubeconfigs give them. */
export function agentSettings({ environment }: { readonly environment: string }): AgentSettings {
  return readSettings(
    { name: environment, namespace: "deployers", landscaperNamespace: "ls-system", namespaces: ["tenant"] },
    { landscaper: { server: "https://landscaper.example/sub", ca: "PEM" }, host: { server: "https://host.example" } },
  );
}

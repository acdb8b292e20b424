import { secretConfigValues, type PreviewContext } from "@landscaper/deployer";
import type { HelmConfig } from "../helm-config.ts";

/** What a chart may get that derives from secrets: by `values`, and by `valuesFrom`. */
export function secretsOfItem({ item, config }: PreviewContext<HelmConfig>): readonly unknown[] {
  return [...secretConfigValues(item), ...config.secrets];
}

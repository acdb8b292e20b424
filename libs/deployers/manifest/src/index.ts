export { checkManifestDrift, planManifests } from "./inspect-target.ts";
export type { Inspection, ManifestDrift } from "./inspect-target.ts";
export { createManifestDeployer, manifestDeployItemType } from "./manifest-deployer.ts";

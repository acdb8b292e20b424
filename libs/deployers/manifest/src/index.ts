export { createManifestDeployer, manifestDeployItemType } from "./manifest-deployer.ts";

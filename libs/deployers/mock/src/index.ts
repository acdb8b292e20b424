export { createMockDeployer, mockDeployItemType } from "./mock-deployer.ts";

/** Kubernetes release whose behaviour this server follows. */
export const kubernetesVersion = "v1.34.1";

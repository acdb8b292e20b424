/** Version of the real control plane that suites and benches start. */
export const kubernetesVersion = "v1.34.1";

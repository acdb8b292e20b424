# The cluster that all examples of this folder deploy into.
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Target
metadata:
  name: shop
  namespace: ${namespace}
spec:
  type: landscaper.gardener.cloud/kubernetes-cluster
  config:
    kubeconfig: |
${kubeconfig}

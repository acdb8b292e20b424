# Exports what a controller of the target cluster fills in after the deployment. The suite makes the component with component-constructor.yaml.
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Context
metadata:
  name: shops
  namespace: ${namespace}
repositoryContext:
  baseUrl: ${repoBaseUrl}
  type: ociRegistry
---
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Installation
metadata:
  name: till
  namespace: ${namespace}
  annotations:
    landscaper.gardener.cloud/operation: reconcile
spec:
  context: shops
  componentDescriptor:
    ref: { componentName: example.com/shops/till, version: 0.3.0 }
  blueprint:
    ref: { resourceName: blueprint }
  imports:
    targets:
      - { name: cluster, target: shop }
  exports:
    data:
      - { name: credential, dataRef: till-credential }

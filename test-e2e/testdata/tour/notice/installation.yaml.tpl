# One manifest, deployed and taken away.
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Installation
metadata:
  name: opening-hours
  namespace: ${namespace}
  annotations:
    landscaper.gardener.cloud/operation: reconcile
spec:
  imports:
    targets:
      - { name: cluster, target: shop }
  blueprint:
    inline:
      filesystem:
        blueprint.yaml: |
          apiVersion: landscaper.gardener.cloud/v1alpha1
          kind: Blueprint
          jsonSchema: "https://json-schema.org/draft/2019-09/schema"
          imports:
            - name: cluster
              type: target
              targetType: landscaper.gardener.cloud/kubernetes-cluster
          deployExecutions:
            - name: items
              type: GoTemplate
              template: |
                deployItems:
                  - name: notice
                    type: landscaper.gardener.cloud/kubernetes-manifest

                    target:
                      import: cluster   # a comment between fields

                    config:
                      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
                      kind: ProviderConfiguration
                      updateStrategy: update
                      manifests:
                        - policy: manage
                          manifest:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: { name: opening-hours, namespace: tour }
                            data: { monday: 9 to 5 }

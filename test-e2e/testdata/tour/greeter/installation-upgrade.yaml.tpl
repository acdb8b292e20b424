# The upgrade of installation.yaml.tpl.
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Installation
metadata:
  name: greeter
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
          imports:
            - name: cluster
              type: target
              targetType: landscaper.gardener.cloud/kubernetes-cluster
          deployExecutions:
            - name: items
              type: GoTemplate
              template: |
                deployItems:
                  - name: greeter
                    type: landscaper.gardener.cloud/helm
                    target:
                      import: cluster
                    config:
                      apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
                      kind: ProviderConfiguration
                      name: greeter
                      namespace: tour
                      createNamespace: true
                      chart:
                        ref: registry.example.test/shops/charts/greeter:0.2.0
                      values:
                        greeting: welcome

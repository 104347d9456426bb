import type { Route } from '../http/route.ts';
import { openApiOf } from './document.ts';

/** A new version of the service may change it. */
const KEPT_SECONDS = 300;

/** Not in the table of routes, which it reads. */
export function readDocument(routes: readonly Route[]): Route {
  let text: string | undefined;
  return {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Read the OpenAPI 3.1 document of this API',
    credential: 'none',
    answers: { 200: { type: 'object' } },
    async handle({ context }) {
      text ??= JSON.stringify(openApiOf(routes, context.env.publicUrl));
      return {
        status: 200,
        body: text,
        headers: { 'Cache-Control': `public, max-age=${KEPT_SECONDS}` },
      };
    },
  };
}

import type { Route } from '../http/route.ts';
import { securitySchemes } from './access.ts';
import { beyondSchemas, inWords } from './beyond-schemas.ts';
import { headers, idempotencyKey, testScenario } from './headers.ts';
import { allLinks } from './links.ts';
import { operationOf } from './operation.ts';
import { addErrorSchema, sharedAnswers } from './refusals.ts';
import { tagOf, tags } from './tags.ts';
import type { Components, OpenApiDocument, Tag } from './types.ts';
import { webhooksOf } from './webhooks.ts';

/** OpenAPI 3.1, with the schemas that validate requests. `publicUrl` has no trailing slash. */
export function openApiOf(routes: readonly Route[], publicUrl: string): OpenApiDocument {
  const schemas: Components['schemas'] = {};
  addErrorSchema(schemas);
  const paths = pathsOf(routes, schemas);
  const webhooks = webhooksOf(schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment Collection Service',
      version: 'v1',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'API reference', url: `${publicUrl}/docs` },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This deployment.' }],
    tags: tagsOf(routes),
    paths,
    'x-webhooks': webhooks,
    components: {
      schemas,
      parameters: { IdempotencyKey: idempotencyKey, TestScenario: testScenario },
      headers,
      responses: sharedAnswers(),
      links: allLinks(),
      securitySchemes,
    },
  };
}

function pathsOf(routes: readonly Route[], schemas: Components['schemas']) {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, schemas) };
  }
  return paths;
}

function tagsOf(routes: readonly Route[]): Tag[] {
  const present = new Set(routes.map(({ path }) => tagOf(path)));
  const known = Object.keys(tags).filter((name) => present.delete(name));
  const named = [...known, ...present].map((name) => ({
    name,
    description: tags[name]?.about ?? '',
  }));
  return [
    ...named,
    { name: 'webhooks', description: 'What the service sends to your webhook endpoints.' },
  ];
}

const introduction = `Collect payments in Nigeria through one of several payment providers.

- Bodies are JSON in UTF-8. Money is integer kobo, times are ISO 8601 in UTC.
- Every request carries \`Authorization: Bearer <credential>\`. A credential belongs to one mode, live or test, and cannot see objects of the other.
- Every answer carries \`Request-Id\` and \`X-Service-Tenant\`.
- POSTs that create take an \`Idempotency-Key\`.
- Lists are newest first; \`limit\` and \`cursor\` walk them.
- Errors are \`{ error: { code, message, fields } }\`. An unknown address is 404 \`not_found\`, a method it does not have 405 \`method_not_allowed\`.
- A request holds only the fields and parameters listed here. Any other is refused with 422 \`validation_failed\`, which names it.
- Patterns say what texts may be, except that days, times, time zones and addresses are real ones, addresses are https, and printable text has no invisible tag characters (U+E0000 to U+E007F).
- Fields may be added to answers: ignore those you do not know.

What no schema can say is checked too, and refused with 422 \`validation_failed\`:

${beyondSchemas.map(inWords).join('\n')}

Objects that are not there are 404, changes that their state does not allow 409.`;

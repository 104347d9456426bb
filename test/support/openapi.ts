import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { formats } from '../../api/http/formats.ts';
import { openApiOf } from '../../api/openapi/document.ts';
import type { OpenApiDocument } from '../../api/openapi/types.ts';
import { routes } from '../../api/routes.ts';

export const openApi: OpenApiDocument = JSON.parse(
  JSON.stringify(openApiOf(routes, 'http://localhost:4000')),
);

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
for (const [name, { isValid }] of Object.entries(formats)) ajv.addFormat(name, isValid);
ajv.addVocabulary(['discriminator']);
// Strictness is for the schemas in the document, not for the document around them.
ajv.addVocabulary(Object.keys(openApi)).addSchema(closed(openApi), 'openapi', false, false);

/**
 * A copy that accepts only the fields it names. The document leaves answers open for fields that
 * later versions add; what is answered today is all documented.
 */
function closed(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_name, inner) => {
    const isOpen = inner?.additionalProperties === true && !inner.patternProperties;
    return isOpen ? { ...inner, additionalProperties: false } : inner;
  });
}

const checkers = new Map<string, ValidateFunction>();

/**
 * What is wrong with a value, by the closed copy of the schema at this JSON pointer into the
 * document: one sentence each.
 */
export function problemsWith(value: unknown, pointer: string): string[] {
  const check = checkers.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
  checkers.set(pointer, check);
  return check(value) ? [] : (check.errors ?? []).map(sentence);
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
}

export function pointerOf(...parts: (string | number)[]): string {
  return parts
    .map(
      (part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    )
    .join('');
}

/** TypeScript: a new type of event does not compile until it has a case. */
export const amountOfEvent = (
  event: string,
): string => `export function amountOf(event: ${event}): number | null {
  switch (event.type) {
    case 'charge.succeeded':
    case 'charge.failed':
    case 'charge.disputed':
      return event.data.net_kobo;
    case 'refund.requested':
    case 'refund.approved':
    case 'refund.rejected':
    case 'refund.completed':
    case 'refund.failed':
    case 'dispute.closed':
      return event.data.amount_kobo;
    case 'settlement.landed':
      return event.data.landed_amount_kobo;
    case 'discrepancy.opened':
      return event.data.difference_kobo;
  }
}
`;

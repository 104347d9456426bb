import type { AnyRoute, JsonSchema } from '../http/route.ts';
import { securityOf, whoMay } from './access.ts';
import { capabilities, capabilityOf } from './capabilities.ts';
import { exampleOf } from './example.ts';
import { answerHeaders } from './headers.ts';
import { place, referTo } from './place.ts';
import { refusalAnswers } from './refusals.ts';
import type { Answer, Components, Operation, Parameter, Reference } from './types.ts';

type Schemas = Components['schemas'];

/** An endpoint as an operation of the document. Titled objects of its schemas are added to `schemas`. */
export function operationOf(route: AnyRoute, schemas: Schemas): Operation {
  const operationId = operationIdOf(route);
  return {
    operationId,
    tags: [capabilityOf(route.path)],
    summary: route.summary,
    description: whoMay(route.may),
    security: securityOf(route.may),
    parameters: parametersOf(route, operationId, schemas),
    ...(route.body ? { requestBody: bodyOf(route.body, operationId, schemas) } : {}),
    responses: { ...answersOf(route, operationId, schemas), ...refusalAnswers(route) },
  };
}

/** `GET /charges/:reference/timeline` → `getChargesByReferenceTimeline`. */
function operationIdOf({ method, path }: AnyRoute): string {
  const words = path.split(/[/-]/).filter(Boolean);
  return (
    method +
    words
      .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
      .join('')
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function parametersOf(
  { path, query, idempotent }: AnyRoute,
  operationId: string,
  schemas: Schemas,
): (Parameter | Reference)[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(path, name!));
  const inQuery = query ? queryParameters(place(query, operationId, schemas)) : [];
  return [...inPath, ...inQuery, ...(idempotent ? [referTo('parameters', 'IdempotencyKey')] : [])];
}

function pathParameter(path: string, name: string): Parameter {
  const known = capabilities[capabilityOf(path)]?.parameter;
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${name}.`,
    schema: { type: 'string' },
    ...known,
  };
}

function queryParameters({
  properties = {},
  required = [],
}: {
  properties?: Schemas;
  required?: readonly string[];
}): Parameter[] {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: String(description),
      schema,
    };
  });
}

function bodyOf(
  body: JsonSchema,
  operationId: string,
  schemas: Schemas,
): NonNullable<Operation['requestBody']> {
  const schema = place(body, operationId, schemas);
  const isNeeded = Array.isArray(body.required) && body.required.length > 0;
  return {
    required: isNeeded,
    content: { 'application/json': { schema, example: exampleOf(schema, schemas, operationId) } },
  };
}

function answersOf(route: AnyRoute, operationId: string, schemas: Schemas): Record<string, Answer> {
  const placed = Object.entries(route.answers).map(([status, answer]) => {
    const schema = place(answer, operationId, schemas);
    const content = { 'application/json': { schema, example: exampleOf(schema, schemas) } };
    return [status, { description: descriptionOf(answer), headers: answerHeaders(route), content }];
  });
  return Object.fromEntries(placed);
}

function descriptionOf({ title }: JsonSchema): string {
  const name = typeof title === 'string' ? title : 'The answer';
  return name.endsWith('List') ? `A page of ${name.slice(0, -'List'.length)} objects.` : `${name}.`;
}

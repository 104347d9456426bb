import type { AnyRoute, JsonSchema } from '../http/route.ts';
import { credentialSentence, securityOf } from './access.ts';
import { place, referTo } from './components.ts';
import { exampleOf } from './example.ts';
import { answerHeaders } from './headers.ts';
import { refusalAnswers } from './refusals.ts';
import { tagOf, tags } from './tags.ts';
import type { Answer, Components, Operation, Parameter, Reference } from './types.ts';

type Schemas = Components['schemas'];

/** An endpoint as an operation of the document. Titled objects of its schemas are added to `schemas`. */
export function operationOf(route: AnyRoute, schemas: Schemas): Operation {
  const { operationId } = route;
  return {
    operationId,
    tags: [tagOf(route.path)],
    summary: route.summary,
    description: credentialSentence(route.credential),
    security: securityOf(route.credential),
    parameters: parametersOf(route, operationId, schemas),
    ...(route.body ? { requestBody: bodyOf(route.body, operationId, schemas) } : {}),
    responses: { ...answersOf(route, operationId, schemas), ...refusalAnswers(route) },
  };
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
  const known = tags[tagOf(path)]?.parameter;
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

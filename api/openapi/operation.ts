import type { ImageBody, Route } from '../http/route.ts';
import type { JsonSchema } from '../http/schema.ts';
import { credentialSentence, securityOf } from './access.ts';
import { documented, referTo } from './components.ts';
import { exampleOf } from './example.ts';
import { answerHeaders } from './headers.ts';
import { linksOf } from './links.ts';
import { refusalAnswers } from './refusals.ts';
import { tagOf, tags } from './tags.ts';
import type { Answer, Components, Operation, Parameter, Reference } from './types.ts';

type Schemas = Components['schemas'];

/** Adds titled schemas to `schemas`. */
export function operationOf(route: Route, schemas: Schemas): Operation {
  return {
    operationId: route.operationId,
    tags: [tagOf(route.path)],
    summary: route.summary,
    description: credentialSentence(route.credential),
    security: securityOf(route.credential),
    parameters: parametersOf(route, schemas),
    ...(route.body ? { requestBody: bodyOf(route.body, schemas) } : {}),
    ...(route.image ? { requestBody: imageBodyOf(route.image) } : {}),
    responses: { ...answersOf(route, schemas), ...refusalAnswers(route) },
  };
}

function parametersOf(route: Route, schemas: Schemas) {
  const { path, query, idempotent, takesTestScenario } = route;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(path, name!));
  const inQuery = query ? queryParameters(documented(query, schemas)) : [];
  const inHeader: Reference[] = [
    ...(idempotent ? [referTo('parameters', 'IdempotencyKey')] : []),
    ...(takesTestScenario ? [referTo('parameters', 'TestScenario')] : []),
  ];
  return [...inPath, ...inQuery, ...inHeader];
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

function queryParameters({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties as Schemas).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    description: String(description),
    schema,
  }));
}

function bodyOf(body: JsonSchema, schemas: Schemas): NonNullable<Operation['requestBody']> {
  const { title } = body;
  const schema = documented(body, schemas);
  const example = exampleOf(schemas[String(title)]!, schemas, { isRequest: true });
  const isNeeded = Array.isArray(body.required) && body.required.length > 0;
  return { required: isNeeded, content: { 'application/json': { schema, example } } };
}

function imageBodyOf({ types }: ImageBody): NonNullable<Operation['requestBody']> {
  // An empty schema is how OpenAPI 3.1 says: any bytes.
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  return { required: true, content };
}

function answersOf(route: Route, schemas: Schemas): Record<string, Answer> {
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const schema = documented(answer, schemas);
    const content = { 'application/json': { schema, example: exampleOf(schema, schemas) } };
    const links = linksOf(String(answer.title));
    const description = String(answer.description ?? 'The answer.');
    return [status, { description, headers: answerHeaders(route), content, ...links }];
  });
  return Object.fromEntries(answers);
}

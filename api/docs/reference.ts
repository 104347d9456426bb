import type { JsonSchema } from '../http/schema.ts';
import { exampleOf } from '../openapi/example.ts';
import { tagTitle } from '../openapi/tags.ts';
import type {
  Answer,
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
} from '../openapi/types.ts';
import { type FieldRow, rowOf, rowsOf, titleIn } from './fields.ts';
import { withEnumsInline } from './inline-enums.ts';
import { type ObjectTable, objectsOf } from './objects.ts';
import { type Sample, samplesOf } from './samples.ts';

/** A tag with its endpoints. */
export interface Chapter {
  name: string;
  title: string;
  about: string;
  endpoints: Endpoint[];
  objects: ObjectTable[];
}

export interface Endpoint {
  id: string;
  method: string;
  path: string;
  summary: string;
  who: string;
  parameters: (FieldRow & { in: string })[];
  body: FieldRow[];
  answers: { status: string; description: string; fields: FieldRow[]; example: string }[];
  refusals: { status: string; description: string }[];
  samples: Sample[];
}

export function chaptersOf(original: OpenApiDocument): Chapter[] {
  const document = withEnumsInline(original);
  return document.tags
    .map(({ name, description }) => ({
      name,
      title: tagTitle(name),
      about: description,
      ...contentsOf(document, name),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

function contentsOf(
  document: OpenApiDocument,
  tag: string,
): Pick<Chapter, 'endpoints' | 'objects'> {
  const found = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ path, method: method as Method, operation })),
  );
  const endpoints = found.map(({ path, method, operation }) =>
    endpointOf(document, path, method, operation),
  );
  return {
    endpoints,
    objects: objectsOf(
      document,
      found.flatMap(({ operation }) => bodiesOf(operation)),
    ),
  };
}

function endpointOf(
  document: OpenApiDocument,
  path: string,
  method: Method,
  operation: Operation,
): Endpoint {
  const parameters = operation.parameters.map((parameter) =>
    follow(parameter, document.components.parameters),
  );
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    ...follow(answer, document.components.responses),
  }));
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    who: operation.description,
    parameters: parameters.map(({ name, required, schema, description, in: where }) => ({
      ...rowOf(name, { ...schema, description }, required),
      in: where,
    })),
    body: rowsOf(schemaOf(document, operation.requestBody?.content['application/json']?.schema)),
    answers: answers.filter(isSuccess).map((answer) => answerView(document, answer)),
    refusals: answers
      .filter((answer) => !isSuccess(answer))
      .map(({ status, description }) => ({ status, description })),
    samples: samplesOf(requestOf(document, path, method, operation, parameters)),
  };
}

function isSuccess({ status }: { status: string }): boolean {
  return Number(status) < 400;
}

function answerView(
  { components }: OpenApiDocument,
  { status, description, content }: Answer & { status: string },
) {
  const { schema = {}, example } = content?.['application/json'] ?? {};
  const fields = rowsOf(schemaOf({ components }, schema));
  return {
    status,
    description,
    fields,
    example: example === undefined ? '' : JSON.stringify(example, null, 2),
  };
}

function schemaOf({ components }: Pick<OpenApiDocument, 'components'>, schema: JsonSchema = {}) {
  return components.schemas[titleIn(schema) ?? ''] ?? schema;
}

function requestOf(
  document: OpenApiDocument,
  path: string,
  method: Method,
  operation: Operation,
  parameters: Parameter[],
) {
  const example = ({ schema }: Parameter) => String(exampleOf(schema, document.components.schemas));
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce(
    (address, parameter) => address.replace(`{${parameter.name}}`, example(parameter)),
    path,
  );
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const asked = new URLSearchParams(
    Object.fromEntries(query.map((parameter) => [parameter.name, example(parameter)])),
  ).toString();
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  const body = operation.requestBody?.content['application/json']?.example;
  const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
  return {
    method: method.toUpperCase(),
    url: `${document.servers[0]!.url}${filled}${asked && `?${asked}`}`,
    credential: credentialOf(operation),
    ...(key ? { idempotencyKey: example(key) } : {}),
    ...(body === undefined ? {} : { body }),
    ...(type.startsWith('image/') ? { image: type } : {}),
  };
}

/** The environment variable a sample reads: a secret key where the endpoint takes one. */
function credentialOf({ security }: Operation): string | null {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.length === 0) return null;
  return schemes.includes('secretKey') ? 'SVC_SECRET_KEY' : 'SVC_USER_TOKEN';
}

function bodiesOf({ responses }: Operation): JsonSchema[] {
  return Object.values(responses).flatMap((answer) =>
    '$ref' in answer ? [] : [answer.content?.['application/json'].schema ?? {}],
  );
}

function follow<T extends object>(found: T | Reference, components: Record<string, T>): T {
  return '$ref' in found ? components[found.$ref.split('/').at(-1)!]! : found;
}

import type { JsonSchema } from '../http/schema.ts';
import type { OpenApiDocument, Operation, Parameter, Reference } from '../openapi/types.ts';
import { docOf, typeOf } from './typescript.ts';

/** What the client has to know of an operation to call it. */
export interface ClientOperation {
  method: string;
  path: string;
  /** Takes no credential. */
  open?: true;
  idempotent?: true;
  /** It takes a Test-Scenario. */
  scenario?: true;
  list?: true;
  /** Where the fields go, and each one's type. */
  input?: { in: 'query' | 'body'; fields: Record<string, string> } | { in: 'image' };
}

/** Of a method in the interface of all resources. */
const INDENT = '    ';

interface Described {
  resource: string;
  name: string;
  call: ClientOperation;
  /** Lines of TypeScript: its method, and the fields of its query. */
  signature: string;
  query: string;
}

/** Operations by resource and method: `payments.charges.create` is `createCharge` of `charges`. */
export function describeOperations(document: OpenApiDocument): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const call = callOf(document, method, path, operation);
      const resource = operation.tags[0]!;
      const name = methodName(operation.operationId, resource);
      const { signature, query } = typesOf(document, name, call, operation);
      return { resource: camel(resource), name, call, signature, query };
    }),
  );
}

function callOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): ClientOperation {
  const input = inputOf(document, operation);
  return {
    method: method.toUpperCase(),
    path,
    ...(operation.security.length === 0 ? { open: true } : {}),
    ...(operation.parameters.some(isHeader('IdempotencyKey')) ? { idempotent: true } : {}),
    ...(operation.parameters.some(isHeader('TestScenario')) ? { scenario: true } : {}),
    ...(itemOf(document, operation) ? { list: true } : {}),
    ...(input ? { input } : {}),
  };
}

function inputOf(document: OpenApiDocument, operation: Operation): ClientOperation['input'] {
  const content = operation.requestBody?.content;
  const json = content?.['application/json'];
  if (json)
    return { in: 'body', fields: fieldTypes(document, propertiesOf(document, json.schema)) };
  if (content) return { in: 'image' };
  const query = queryOf(operation);
  if (query.length === 0) return undefined;
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  return { in: 'query', fields: fieldTypes(document, properties) };
}

function fieldTypes(document: OpenApiDocument, properties: Record<string, JsonSchema>) {
  const plain = ([name, schema]: [string, JsonSchema]) => {
    const { type = 'string' } = referred(document, schema);
    return [name, Array.isArray(type) ? type[0] : type];
  };
  return Object.fromEntries(Object.entries(properties).map(plain));
}

function typesOf(
  document: OpenApiDocument,
  name: string,
  { path, input, idempotent }: ClientOperation,
  operation: Operation,
) {
  const queryName = `${pascal(operation.operationId)}Query`;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}: string`);
  const isNeeded =
    input?.in === 'query'
      ? queryOf(operation).some(({ required }) => required)
      : operation.requestBody?.required;
  const mark = isNeeded ? '' : '?';
  const given = { query: queryName, body: bodyType(operation), image: 'Blob' };
  const takes = input ? [`${input.in}${mark}: ${given[input.in]}`] : [];
  const options = `options?: ${idempotent ? 'Idempotent' : ''}RequestOptions`;
  const item = itemOf(document, operation);
  const answer = answerType(operation);
  const returns = item ? `List<${typeOf(item)}, ${answer}>` : `Promise<${answer}>`;
  const doc = docOf(`${operation.summary}. ${operation.description}`, INDENT);
  const signature = `${doc}${INDENT}${name}(${[...inPath, ...takes, options].join(', ')}): ${returns};\n`;
  return { signature, query: input?.in === 'query' ? declareQuery(queryName, operation) : '' };
}

function declareQuery(name: string, operation: Operation): string {
  const query = queryOf(operation);
  const properties = query.map((parameter) => [
    parameter.name,
    { ...parameter.schema, description: parameter.description },
  ]);
  const required = query.filter((parameter) => parameter.required).map((one) => one.name);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return `export interface ${name} ${typeOf(schema)}\n`;
}

function bodyType({ requestBody }: Operation): string {
  const json = requestBody?.content['application/json'];
  return json ? typeOf(json.schema) : '';
}

function answerOf({ responses }: Operation): JsonSchema {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  return 'content' in answer ? answer.content!['application/json'].schema : {};
}

const answerType = (operation: Operation) => typeOf(answerOf(operation));

/** Undefined where the answer is no list. */
function itemOf(document: OpenApiDocument, operation: Operation): JsonSchema | undefined {
  const { data } = propertiesOf(document, answerOf(operation));
  return data?.type === 'array' ? (data.items as JsonSchema) : undefined;
}

function propertiesOf(document: OpenApiDocument, schema: JsonSchema): Record<string, JsonSchema> {
  return (referred(document, schema).properties ?? {}) as Record<string, JsonSchema>;
}

function referred({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? components.schemas[$ref.split('/').at(-1)!]! : schema;
}

function queryOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((one): one is Parameter => 'in' in one && one.in === 'query');
}

const isHeader = (name: string) => (parameter: Parameter | Reference) =>
  '$ref' in parameter && parameter.$ref.endsWith(`/${name}`);

/** `listSettlementTransactions` of `settlements` → `listTransactions`. */
function methodName(operationId: string, resource: string): string {
  const noun = pascal(camel(resource));
  const singular = noun.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
  const name = operationId.replace(new RegExp(`${noun}(?![a-z])|${singular}(?![a-z])`), '');
  return name || operationId;
}

const camel = (words: string) => words.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

import type { Answer, Method, Operation, Reference } from '../../api/openapi/types.ts';
import { openApi, pointerOf, problemsWith } from './openapi.ts';

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/**
 * Throws unless the OpenAPI document describes this answer to this request: its status, its
 * headers, every field of its body.
 */
export function expectDocumented(method: string, path: string, answered: Answered): void {
  const plainPath = path.split('?')[0]!.replace(/(.)\/$/, '$1');
  if (method === 'OPTIONS' || plainPath === '/openapi.json') return;
  const found = promiseFor(method, plainPath, answered.status);
  const problems =
    typeof found === 'string'
      ? [found]
      : [...headerProblems(found, answered), ...bodyProblems(found, answered, method)];
  if (problems.length === 0) return;
  const what = `${method} ${path} answered ${answered.status}, but not as /openapi.json says`;
  throw new Error(`${what}:\n- ${problems.join('\n- ')}\n${answered.text.slice(0, 500)}`);
}

function codeProblems({ description }: Answer, json: unknown): string[] {
  const { code } = (json as { error?: { code: string } }).error ?? {};
  if (code === undefined || code === 'method_not_allowed') return [];
  return description.includes(`\`${code}\``) ? [] : [`it explains no ${code}`];
}

interface Promised {
  answer: Answer;
  pointer: string;
}

function promiseFor(method: string, path: string, status: number): Promised | string {
  const name = (method === 'HEAD' ? 'get' : method.toLowerCase()) as Method;
  const known = paths.find(({ matches }) => matches.test(path));
  const operation = known?.operations[name];
  if (!operation) return refusalAnywhere(status);
  const found = operation.responses[status];
  if (!found)
    return `it promises ${Object.keys(operation.responses).join(', ')}; is a code missing in the route's \`refusals\`?`;
  return follow(found, pointerOf('paths', known.path, name, 'responses', status));
}

const paths = Object.entries(openApi.paths)
  .map(([path, operations]) => ({
    path,
    operations,
    matches: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const anywhere: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'NotFound',
  429: 'RateLimited',
  503: 'Unavailable',
};

function refusalAnywhere(status: number): Promised | string {
  const name = anywhere[status];
  return name
    ? follow({ $ref: `#/components/responses/${name}` }, '')
    : 'it knows no such endpoint';
}

function follow(found: Operation['responses'][string] | Reference, pointer: string): Promised {
  if (!('$ref' in found)) return { answer: found, pointer };
  return {
    answer: openApi.components.responses[found.$ref.split('/').at(-1)!]!,
    pointer: found.$ref.slice(1),
  };
}

function headerProblems({ answer }: Promised, { headers }: Answered): string[] {
  return Object.keys(answer.headers ?? {}).flatMap((name) => {
    const { required, schema } = openApi.components.headers[name]!;
    const value = headers.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    const read = schema.type === 'integer' ? Number(value) : value;
    return problemsWith(read, pointerOf('components', 'headers', name, 'schema')).map(
      (problem) => `the header ${name}: ${problem}`,
    );
  });
}

function bodyProblems({ answer, pointer }: Promised, { json, text }: Answered, method: string) {
  if (method === 'HEAD') return [];
  if (!answer.content) return text === '' ? [] : ['it promises no body'];
  if (text === '') return ['there is no body'];
  return [
    ...problemsWith(json, `${pointer}/content/application~1json/schema`),
    ...codeProblems(answer, json),
  ];
}

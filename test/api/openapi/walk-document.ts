import type { JsonSchema } from '../../../api/http/schema.ts';
import type { Method, Operation, Parameter } from '../../../api/openapi/types.ts';
import { openApi, pointerOf } from '../../support/openapi.ts';

export const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method as Method,
    operation,
  })),
);
export const parametersOf = ({ parameters }: Operation) =>
  parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter));

export function everySchema(): { pointer: string; schema: JsonSchema }[] {
  const found: { pointer: string; schema: JsonSchema }[] = [];
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as JsonSchema;
    if ('type' in schema || 'enum' in schema || 'const' in schema || 'anyOf' in schema)
      found.push({ pointer, schema });
    for (const [name, inner] of Object.entries(schema))
      if (!['examples', 'example', 'enum'].includes(name)) visit(inner, pointer + pointerOf(name));
  };
  const { components, paths, webhooks } = openApi;
  visit({ components: { schemas: components.schemas }, paths, webhooks }, '');
  return found.filter(({ pointer }) => !/\/properties$/.test(pointer));
}

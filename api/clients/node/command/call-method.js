import { parseArgs } from 'node:util';
import { operations } from '../deployment.js';
import { print, printPages } from './print.js';
import { UsageError } from './usage-error.js';

/** As they are typed: `payment-links`. */
export const resources = Object.keys(operations).map((name) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
);

/** Calls any operation: ids of its path in their order, and each field as an option. */
export async function callMethod(payments, resource, method, args) {
  const operation = operations[camel(resource)]?.[camel(method ?? '')];
  if (!operation || operation.input?.in === 'image')
    throw new UsageError(`There is no command ${resource} ${method ?? ''}`);
  const { path, list, idempotent, scenario, input } = operation;
  const fields = Object.entries(input?.fields ?? {});
  const { values, positionals } = /** @type {any} */ (
    parseArgs({
      // As the API names them, too: --amount_kobo.
      args: args.map((word) => word.replace(/^--\w+/, kebab)),
      allowPositionals: true,
      options: {
        ...Object.fromEntries(fields.map(([name, type]) => [kebab(name), optionOf(type)])),
        ...(list ? { all: { type: 'boolean' } } : {}),
        ...(idempotent ? { 'idempotency-key': { type: 'string' } } : {}),
        ...(scenario ? { scenario: { type: 'string' } } : {}),
      },
    })
  );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (positionals.length !== names.length)
    throw new UsageError(`Usage: payments ${resource} ${method} ${names.join(' ').toUpperCase()}`);
  const set = fields.filter(([name]) => values[kebab(name)] !== undefined);
  const filled = set.map(([name, type]) => [name, read(name, type, values[kebab(name)])]);
  const options = {
    idempotencyKey: values['idempotency-key'],
    headers: values.scenario ? { 'Test-Scenario': values.scenario } : {},
  };
  const inputs = input ? [Object.fromEntries(filled)] : [];
  const answer = payments[camel(resource)][camel(method)](...positionals, ...inputs, options);
  if (!list) print(await answer);
  else await printPages(values.all ? answer.pages() : [await answer.page()]);
}

const optionOf = (type) => ({ type: 'string', multiple: type === 'array' || type === 'object' });

function read(name, type, text) {
  switch (type) {
    case 'integer':
      if (!/^-?\d+$/.test(text)) throw new UsageError(`--${kebab(name)} must be an integer`);
      return Number(text);
    case 'boolean':
      return text === 'true' || (text !== 'false' && text);
    case 'object':
      return Object.fromEntries(text.map((pair) => pairOf(name, pair)));
    default:
      return text;
  }
}

/** `gift=true` and `order_id=1042` are what they look like. */
function pairOf(name, pair) {
  const [, key, text = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (key === undefined) throw new UsageError(`--${kebab(name)} must be NAME=VALUE`);
  return [key, /^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(text) ? JSON.parse(text) : text];
}

const camel = (words) => words.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase());
const kebab = (name) => name.replaceAll('_', '-');

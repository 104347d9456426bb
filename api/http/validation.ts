import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { type Fields, invalid } from '../../domain/shared/problems.ts';
import { formats, ruleOf } from './formats.ts';

const ofBodies = validator({});
/**
 * Strings become numbers, and a parameter that may be repeated a list. `Infinity` must be refused
 * here: Ajv's limits would let it pass.
 */
const ofQueries = validator({ coerceTypes: 'array', strictNumbers: false });

function validator(options: Options): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, ...options });
  addFormats.default(ajv, ['email', 'int64']);
  for (const [name, { isValid }] of Object.entries(formats)) ajv.addFormat(name, isValid);
  // The API document reads these: the endpoint checks which alternative applies.
  ajv.addVocabulary(['alternatives']);
  return ajv;
}

/** Throws `validation_failed` naming every offending field. */
export const checkerOf = (schema: object) => checkedBy(ofBodies.compile(schema), nameOf);

/** Reads numbers from strings, in place. */
export const queryCheckerOf = (schema: object) => checkedBy(ofQueries.compile(schema), parameterOf);

type Name = (error: ErrorObject) => string;

function checkedBy(check: ValidateFunction, name: Name): (value: unknown) => void {
  return (value) => {
    if (!check(value)) throw invalid(fieldsOf(check.errors ?? [], name));
  };
}

/** Enough to correct a request, too few for a hostile one to cause a large answer. */
const MOST_FIELDS = 20;

function fieldsOf(errors: ErrorObject[], nameOf: Name): Fields {
  const fields: Fields = Object.create(null);
  for (const error of errors) {
    // The name's own error says what is wrong with it.
    if (error.keyword === 'propertyNames') continue;
    const name = nameOf(error);
    if (!(name in fields) && Object.keys(fields).length < MOST_FIELDS) {
      fields[name] =
        error.propertyName === undefined ? messageOf(error) : `has a name that ${messageOf(error)}`;
    }
  }
  return fields;
}

/** Each value of a repeated parameter goes by its name. */
const parameterOf: Name = (error) => nameOf(error).replace(/\.\d+$/, '');

/** Dotted; `body` for the whole. */
function nameOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const inner =
    error.params.missingProperty ?? error.params.additionalProperty ?? error.propertyName;
  if (inner !== undefined) path.push(String(inner).slice(0, 100));
  return path.join('.') || 'body';
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a field of this request';
    case 'type':
      return `must be ${article(params.type)}`;
    case 'format':
      return ruleOf(params.format) ?? 'has the wrong format';
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty'
        : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minimum':
      return `must be at least ${quantity(error)}`;
    case 'maximum':
      return `must be at most ${quantity(error)}`;
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`;
    case 'uniqueItems':
      return 'must not have the same entry twice';
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${params.limit} entries`;
    default:
      return message ?? 'is not valid';
  }
}

/** Limits of amounts in naira too: kobo are easily off by a hundred. */
function quantity({ instancePath, params }: ErrorObject): string {
  const limit = Number(params.limit);
  return instancePath.endsWith('_kobo')
    ? `${(limit / 100).toLocaleString('en-NG')} naira (${limit} kobo)`
    : `${limit}`;
}

function article(type: unknown): string {
  const names = Array.isArray(type) ? type.join(', ') : String(type);
  return Array.isArray(type)
    ? `one of ${names}`
    : `${/^[aeiou]/.test(names) ? 'an' : 'a'} ${names}`;
}

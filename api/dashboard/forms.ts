import { filledIn, type Route } from '../http/route.ts';
import type { Form, FormValues, Notice } from './request.ts';

type BodyOf = (values: FormValues) => object;

const noBody: BodyOf = () => ({});

/** What follows from mailing a payer by hand. */
export const MAILED_NOW = 'The mail goes out at once, whatever was mailed before.';

/** `to`: where the form leads, if not to its view. */
export function calling(
  route: Route,
  notice: Notice,
  body: BodyOf = noBody,
  to?: string,
): Form['submit'] {
  return async ({ call, params, values }) => {
    await call(route, { params, body: body(values) });
    return { notice, ...(to === undefined ? {} : { to: filledIn(to, params) }) };
  };
}

/** Shows these fields of the API's answer by this name in the view, once: one may be a secret. */
export function showing(
  name: string,
  fields: readonly string[],
  route: Route,
  body: BodyOf = noBody,
): Form['submit'] {
  return async ({ call, params, values }) => {
    const answer = await call(route, { params, body: body(values) });
    const shown = Object.fromEntries(fields.map((field) => [field, answer[field]]));
    return { once: { [name]: shown } };
  };
}

/** A form sends empty fields too. */
export function filled(values: FormValues, ...names: readonly string[]): FormValues {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

export function linesOf(value: string | string[] | undefined): string[] {
  const texts = [value ?? []].flat();
  return texts.flatMap((text) => text.split(/\s+/)).filter((line) => line !== '');
}

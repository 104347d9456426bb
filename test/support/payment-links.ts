import { expect } from 'chai';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/shared/ids.ts';
import type { Answer } from './api.ts';
import { rawRequest } from './raw-http.ts';
import type { Stack } from './stack.ts';

export interface PaymentLink {
  id: string;
  url: string;
  status: string;
  transaction_id: string | null;
  expires_at: string;
}

export async function newLink(
  { api }: Stack,
  body: Record<string, unknown> = {},
  key?: string,
): Promise<PaymentLink> {
  const wanted = { amount_kobo: 1_250_050, description: 'Two bags of rice', ...body };
  const options = key === undefined ? {} : { key };
  const { status, json } = await api.post<PaymentLink>('/payment-links', wanted, options);
  expect(status).to.equal(201);
  return json;
}

export async function readLink({ api }: Stack, { id }: { id: string }): Promise<PaymentLink> {
  return (await api.get<PaymentLink>(`/payment-links/${id}`)).json;
}

/** Opens a link's page as a browser does, without following where it leads. */
export function visit(stack: Stack, { id }: { id: string }): Promise<Answer> {
  return rawRequest(stack, { path: `/l/${id}` });
}

export function submit(
  stack: Stack,
  { id }: { id: string },
  fields: Record<string, string> = { email: 'ada@example.com' },
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
  return rawRequest(stack, {
    method: 'POST',
    path: `/l/${id}`,
    headers,
    body: new URLSearchParams(fields).toString(),
  });
}

export async function chargesOf({ sql }: Stack, { id }: { id: string }) {
  const rows = await sql<ChargeRow>`select * from charges
    where payment_link_id = ${id} order by id`;
  return rows.map((row) => ({ ...row, reference: referenceOf(row.number) }));
}

export async function openedBy(
  stack: Stack,
  link: { id: string },
  fields?: Record<string, string>,
) {
  const answer = await submit(stack, link, fields);
  expect(answer.status, answer.text).to.equal(303);
  const charges = await chargesOf(stack, link);
  return charges.at(-1)!;
}

export function payAddress({ context }: Stack, charge: { id: string }): string {
  return `${context.env.publicUrl}/pay/${checkoutIdOf(charge.id)}`;
}

export function titleOf(html: string): string | undefined {
  return /<h1>([^<]*)<\/h1>/.exec(html)?.[1];
}

export function expectPage(
  { status, headers, text }: Answer,
  expected: number,
  title: string,
  what?: string,
): void {
  const shown = [status, headers.get('content-type'), titleOf(text)];
  expect(shown, what).to.deep.equal([expected, 'text/html; charset=utf-8', title]);
}

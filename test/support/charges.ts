import { expect } from 'chai';
import type { Stack } from './stack.ts';

export interface Checkout {
  id: string;
  reference: string;
  status: string;
  checkout_url: string;
  transaction: Record<string, any> | null;
}

export async function newCharge(
  { api }: Stack,
  body: Record<string, unknown> = {},
): Promise<Checkout> {
  const { status, json } = await api.post<Checkout>('/charges', {
    amount_kobo: 100_000,
    email: 'payer@example.com',
    ...body,
  });
  expect(status).to.equal(201);
  return json;
}

export async function openCharge(stack: Stack, body?: Record<string, unknown>): Promise<Checkout> {
  const charge = await newCharge(stack, body);
  await stack.settle();
  return charge;
}

/**
 * The charge's row with its attempts, from the database: reading it over the API would call
 * the provider.
 */
export async function stored({ context: { db } }: Stack, charge: { reference: string }) {
  const rows = (table: string, column: string, value: unknown) =>
    db.query<Record<string, any>>(`select * from ${table} where ${column} = $1 order by id`, [
      value,
    ]);
  const [row] = await rows('charges', 'number', Number(charge.reference.slice(3)));
  return {
    ...row!,
    attempts: await rows('attempts', 'charge_id', row!.id),
    captures: await rows('captures', 'charge_id', row!.id),
    events: await rows('events', 'subject_id', row!.id),
  } as Record<string, any> & Record<'attempts' | 'captures' | 'events', Record<string, any>[]>;
}

export async function paidCharge(stack: Stack, body?: Record<string, unknown>): Promise<Checkout> {
  const { reference } = await openCharge(stack, body);
  await stack.control.pay(reference, { notify: false });
  const { json } = await stack.api.get<Checkout>(`/charges/${reference}`);
  expect(json.status).to.equal('completed');
  await stack.settle();
  return json;
}

/** Sets a charge's status without a fact. */
export async function putCharge(
  { sql }: Stack,
  { reference }: { reference: string },
  status: string,
): Promise<void> {
  await sql`update charges set status = ${status} where number = ${Number(reference.slice(3))}`;
}

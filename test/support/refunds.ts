import { expect } from 'chai';
import { memberOf } from './members.ts';
import type { Stack } from './stack.ts';

export type Refund = Record<string, any> & { id: string };

/** Requests a refund and lets an Owner approve it; nothing is waited for. */
export async function approvedRefund(
  stack: Stack,
  { reference }: { reference: string },
  amountKobo?: number,
): Promise<Refund> {
  const owner = await memberOf(stack, stack.tenant, 'owner');
  const amount = amountKobo === undefined ? {} : { amount_kobo: amountKobo };
  const body = { reference, reason: 'Wrong size', ...amount };
  const requested = await stack.api.post<Refund>('/refunds', body);
  expect(requested.status).to.equal(202);
  const path = `/refunds/${requested.json.id}/approve`;
  const approved = await stack.api.post<Refund>(path, undefined, { key: owner.token });
  expect(approved.status).to.equal(200);
  return approved.json;
}

export async function refundRow({ sql }: Stack, { id }: { id: string }) {
  const [row] = await sql<Record<string, any>>`select * from refunds where id = ${id}`;
  return row!;
}

export async function eventsOf({ sql }: Stack, { id }: { id: string }) {
  const rows = await sql<{ type: string; body: string }>`select type, body from events
    where subject_id = ${id}`;
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data as object }));
}

export async function refundsOf(
  { api }: Stack,
  { reference }: { reference: string },
): Promise<Refund[]> {
  return (await api.get<{ data: Refund[] }>(`/refunds?reference=${reference}`)).json.data.reverse();
}

export async function settleRefunds(stack: Stack, ms = 3_000): Promise<void> {
  await stack.settle();
  stack.clock.advance(ms);
  await stack.sandbox.tick();
  await stack.settle();
}

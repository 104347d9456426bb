import { expect } from 'chai';
import { paidCharge } from './charges.ts';
import { memberOf } from './members.ts';
import type { Stack } from './stack.ts';

/** A refund as the API answers it. */
export type Refund = Record<string, any> & { id: string };

/** Requests a refund and lets an Owner approve it; nothing is waited for. */
export async function approvedRefund(stack: Stack, { reference }: { reference: string }, amountKobo?: number): Promise<Refund> {
  const owner = await memberOf(stack, stack.tenant, 'owner');
  const body = { reference, reason: 'Wrong size', ...(amountKobo === undefined ? {} : { amount_kobo: amountKobo }) };
  const requested = await stack.api.post<Refund>('/refunds', body);
  expect(requested.status).to.equal(202);
  const approved = await stack.api.post<Refund>(`/refunds/${requested.json.id}/approve`, undefined, { key: owner.token });
  expect(approved.status).to.equal(200);
  return approved.json;
}

/** A paid charge with a refund of it on its way. */
export async function refundedCharge(stack: Stack, amountKobo?: number) {
  const charge = await paidCharge(stack);
  return { charge, refund: await approvedRefund(stack, charge, amountKobo) };
}

/** The refund's row. */
export async function refundRow({ context }: Stack, { id }: { id: string }): Promise<Record<string, any>> {
  const [row] = await context.db.query<Record<string, any>>('select * from refunds where id = $1', [id]);
  return row!;
}

/** What the charge's refunds are by now, oldest first, as the API lists them. */
export async function refundsOf({ api }: Stack, { reference }: { reference: string }): Promise<Refund[]> {
  return (await api.get<{ data: Refund[] }>(`/refunds?reference=${reference}`)).json.data.reverse();
}

/** Lets the sandbox finish what it has in hand, and the workers hear of it. */
export async function settleRefunds(stack: Stack, ms = 3_000): Promise<void> {
  await stack.settle();
  stack.clock.advance(ms);
  await stack.sandbox.tick();
  await stack.settle();
}

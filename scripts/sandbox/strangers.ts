import { randomBytes } from 'node:crypto';
import type { Sql } from '../../domain/shared/sql.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import type { Account, Channel, Payment } from './records.ts';
import { first } from './rows.ts';
import type { World } from './world.ts';

/** A payment that no call of the account's asked for. */
export interface Stranger {
  reference: string;
  amountKobo: number;
  channel: Channel;
  at: Date;
}

/** Takes money under a reference, paid at once, as a till or another program of the merchant's does. Undefined when the reference is used. */
export async function payAsStranger(
  world: World,
  account: Account,
  stranger: Stranger,
  told: boolean,
): Promise<Payment | undefined> {
  const payment = await world.sql.transaction(async (tx) => {
    const paid = await insertPaid(tx, world, account, stranger);
    if (paid && told)
      await notify(
        tx,
        world,
        account,
        world.providers[account.provider].notices.payment(account, paid),
      );
    return paid;
  });
  world.wake();
  return payment;
}

/** The same in a transaction, and nobody is told. */
export async function insertPaid(
  tx: Sql,
  world: World,
  account: Account,
  stranger: Stranger,
): Promise<Payment | undefined> {
  const { reference, amountKobo, channel, at } = stranger;
  const { newAccessCode, feeKobo } = world.providers[account.provider];
  const inserted = await first<{ id: number }>(
    tx,
    `insert into sandbox.payment (account_id, kind, reference, access_code, email, customer_name, description, outcome, gateway_response,
                                  attempts, requested_kobo, paid_kobo, fee_kobo, channel, created_at, paid_at)
     values ($1, 'payment', $2, $3, 'till@example.com', 'Walk-in Customer', 'Sale at the counter', 'paid', 'Successful',
             1, $4::bigint, $4::bigint, $5, $6, $7::timestamptz, $7::timestamptz)
     on conflict (account_id, reference) where kind = 'payment' do nothing returning id`,
    [
      account.id,
      reference,
      newAccessCode ? await newAccessCode(tx, at) : randomBytes(8).toString('hex').slice(0, 15),
      amountKobo,
      feeKobo(amountKobo),
      channel,
      at,
    ],
  );
  return inserted && findPaymentById(tx, inserted.id);
}

import { randomBytes } from 'node:crypto';
import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import type { Account, Channel, Payment } from './records.ts';
import { first } from './rows.ts';

/** A payment that no call of the account's asked for. */
export interface UnrequestedPayment {
  reference: string;
  amountKobo: number;
  channel: Channel;
  at: Date;
}

/**
 * Takes money under a reference, paid at once, as another program of the merchant's does. Undefined
 * when the reference is used.
 */
export async function takeUnrequestedPayment(
  context: SandboxContext,
  account: Account,
  stranger: UnrequestedPayment,
  shouldNotify: boolean,
): Promise<Payment | undefined> {
  const payment = await context.sql.transaction(async (tx) => {
    const paid = await insertPaid(tx, context, account, stranger);
    if (paid && shouldNotify)
      await notify(
        tx,
        context,
        account,
        context.providers[account.provider].notifications.payment(account, paid),
      );
    return paid;
  });
  context.notifier.sendDue();
  return payment;
}

/** The same in a transaction, without a notification. */
export async function insertPaid(
  tx: Sql,
  context: SandboxContext,
  account: Account,
  stranger: UnrequestedPayment,
): Promise<Payment | undefined> {
  const { reference, amountKobo, channel, at } = stranger;
  const { newAccessCode, feeKobo } = context.providers[account.provider];
  const inserted = await first<{ id: number }>(
    tx,
    `insert into sandbox.payment (account_id, kind, reference, access_code, email, customer_name,
                                  description, outcome, gateway_response, attempts, requested_kobo,
                                  paid_kobo, fee_kobo, channel, created_at, paid_at)
     values ($1, 'payment', $2, $3, 'walk-in@example.com', 'Walk-in Customer',
             'Sale at the counter', 'paid', 'Successful', 1, $4::bigint, $4::bigint, $5, $6,
             $7::timestamptz, $7::timestamptz)
     on conflict (account_id, reference) where kind = 'payment' do nothing returning id`,
    [
      account.id,
      reference,
      newAccessCode
        ? await newAccessCode(context, at)
        : randomBytes(8).toString('hex').slice(0, 15),
      amountKobo,
      feeKobo(amountKobo),
      channel,
      at,
    ],
  );
  return inserted && findPaymentById(tx, inserted.id);
}

import { randomBytes } from 'node:crypto';
import type { Sql } from '../../domain/sql.ts';
import { accountOf } from './accounts.ts';
import { notify } from './notifications.ts';
import type { Account, Channel, Payment } from './records.ts';
import { all, first, listPage, type Page, type Window } from './rows.ts';
import type { World } from './world.ts';

export interface Order {
  reference?: string | undefined;
  email: string;
  amountKobo: number;
  callbackUrl?: string | undefined;
  metadata?: string | undefined;
}

/** Opens a payment. Undefined when the account used the reference before: of two at once, one is accepted. */
export function createPayment(
  world: World,
  account: Account,
  order: Order,
): Promise<Pick<Payment, 'reference' | 'accessCode'> | undefined> {
  // From node:crypto and not from world.random, which tests may hold still: two payments must never share a page.
  const accessCode = randomBytes(8).toString('hex').slice(0, 15);
  return first(
    world.sql,
    `insert into sandbox.payment (account_id, reference, access_code, email, callback_url, metadata, requested_kobo, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, reference) do nothing returning reference, access_code`,
    [
      account.id,
      order.reference ?? randomBytes(5).toString('hex'),
      accessCode,
      order.email,
      order.callbackUrl ?? null,
      order.metadata ?? null,
      order.amountKobo,
      world.now(),
    ],
  );
}

/** What the customer does on the pay page. */
export interface Act {
  outcome: 'success' | 'failed';
  channel: Channel;
  amountKobo?: number | undefined;
  notify?: boolean | undefined;
}

/** The customer pays or is declined. Undefined when the payment is paid already: of two at once, one takes the money.
 *  A declined payment stays payable. The notification is committed with the money and sent after it. */
export async function actOnPayment(world: World, paymentId: number, act: Act): Promise<Payment | undefined> {
  const payment = await world.sql.transaction(async (tx) => {
    if (act.outcome === 'failed') return decline(tx, paymentId, act.channel);
    const paid = await take(tx, world, paymentId, act);
    if (paid && act.notify !== false) {
      const account = await accountOf(tx, paid);
      await notify(tx, world, account, world.providers[account.provider].notices.payment(account, paid));
    }
    return paid;
  });
  world.wake();
  return payment;
}

async function take(tx: Sql, world: World, paymentId: number, act: Act): Promise<Payment | undefined> {
  const taken = await first<Payment>(
    tx,
    `update sandbox.payment set outcome = 'paid', paid_kobo = coalesce($2, requested_kobo), channel = $3, gateway_response = 'Successful',
            attempts = attempts + 1, paid_at = $4
      where id = $1 and outcome <> 'paid' returning *`,
    [paymentId, act.amountKobo ?? null, act.channel, world.now()],
  );
  if (!taken) return undefined;
  const { provider } = await accountOf(tx, taken);
  const feeKobo = world.providers[provider].feeKobo(taken.paidKobo!);
  await tx.query('update sandbox.payment set fee_kobo = $2 where id = $1', [paymentId, feeKobo]);
  return findPaymentById(tx, paymentId);
}

async function decline(tx: Sql, paymentId: number, channel: Channel): Promise<Payment | undefined> {
  const [declined] = await tx.query(
    `update sandbox.payment set outcome = 'failed', channel = $2, gateway_response = 'Declined', attempts = attempts + 1
      where id = $1 and outcome <> 'paid' returning id`,
    [paymentId, channel],
  );
  return declined && findPaymentById(tx, paymentId);
}

export function findPaymentById(sql: Sql, id: number): Promise<Payment | undefined> {
  return first<Payment>(sql, 'select * from sandbox.payment_state where id = $1', [id]);
}

export function findPaymentByAccessCode(sql: Sql, accessCode: string): Promise<Payment | undefined> {
  return first<Payment>(sql, 'select * from sandbox.payment_state where access_code = $1', [accessCode]);
}

/** An account's payment, by its own reference. */
export function findPaymentByReference(sql: Sql, account: Account, reference: string): Promise<Payment | undefined> {
  return first<Payment>(sql, 'select * from sandbox.payment_state where account_id = $1 and reference = $2', [account.id, reference]);
}

/** Every payment the control side's `reference` means, newest first: a full reference, or a charge's `SV-<n>` with its 8 characters after it. */
export function findPaymentsOf(sql: Sql, reference: string): Promise<Payment[]> {
  const attempts = /^SV-\d+$/.test(reference) ? `${reference}-________` : null;
  return all<Payment>(sql, 'select * from sandbox.payment_state where reference like $1 or reference = $2 order by id desc', [
    attempts,
    reference,
  ]);
}

/** An account's payments, newest first. */
export function listPayments(sql: Sql, account: Account, conditions: Record<string, unknown>, window: Window): Promise<Page<Payment>> {
  const volume = 'coalesce(paid_kobo, requested_kobo)';
  return listPage<Payment>(sql, 'sandbox.payment_state', { 'account_id = ?': account.id, ...conditions }, window, volume);
}

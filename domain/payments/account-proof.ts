import type { CallOptions, Provider } from '../providers/port/provider.ts';
import type { Sql } from '../shared/sql.ts';

/** `unproved`: payments may be under way that the provider does not show yet. */
export type AccountProof = 'same' | 'other' | 'unproved';

/** Asks an account about a payment that the connection's own has. Throws a `ProviderError`. */
export async function proveAccount(
  sql: Sql,
  connectionId: string,
  account: Provider,
  options: CallOptions,
): Promise<AccountProof> {
  const payment = await findKnownPayment(sql, connectionId);
  if (!payment) return 'same';
  const { state } = await account.verify(payment.reference, options);
  if (state !== 'absent') return 'same';
  const isShown = payment.was_paid || account.capabilities.rejectsDuplicateReferences;
  return isShown ? 'other' : 'unproved';
}

async function findKnownPayment(sql: Sql, connectionId: string) {
  const [payment] = await sql.query<{ reference: string; was_paid: boolean }>(
    `select * from (
       (select a.reference, true as was_paid from captures k join attempts a on a.id = k.attempt_id
        where k.connection_id = $1 order by k.provider_payment_id desc limit 1)
       union all
       (select reference, false from attempts
        where connection_id = $1 and due_at is not null and accepted_at is not null
          and status in ('open', 'lost', 'declined', 'expired') order by due_at limit 1)
     ) known order by was_paid desc limit 1`,
    [connectionId],
  );
  return payment;
}

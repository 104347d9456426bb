import type { Sql } from '../../domain/shared/sql.ts';
import type { Account, ProviderName } from './records.ts';
import { all, first } from './rows.ts';

export interface Registration {
  provider: ProviderName;
  slot?: string | undefined;
  /** Every part the provider knows. The secret key alone says which account it is. */
  credentials: Record<string, string>;
  notifiesRefunds?: boolean | undefined;
  notificationUrl?: string | undefined;
  mode?: 'test' | 'live' | undefined;
}

/**
 * Registers an account, or brings the one with this secret key up to date. What a repeat leaves out
 * stays as it was.
 */
export async function registerAccount(
  sql: Sql,
  account: Registration,
  defaultSlot: string,
  now: Date,
): Promise<Account & { created: boolean }> {
  const registered = await first<Account & { created: boolean }>(
    sql,
    `insert into sandbox.account as a
       (provider, slot, mode, secret_key, credentials, notification_url, notifies_refunds,
         created_at)
     values ($1, coalesce($2, $3), coalesce($4, 'test'), $5::jsonb ->> 'secret_key', $5::jsonb, $6,
       coalesce($7, false), $8)
     on conflict (provider, secret_key) do update
       set slot = coalesce($2, a.slot), mode = coalesce($4, a.mode), credentials = $5::jsonb,
           notification_url = coalesce($6, a.notification_url),
             notifies_refunds = coalesce($7, a.notifies_refunds)
     returning *, (xmax = 0) as created`,
    [
      account.provider,
      account.slot ?? null,
      defaultSlot,
      account.mode ?? null,
      JSON.stringify(account.credentials),
      account.notificationUrl ?? null,
      account.notifiesRefunds ?? null,
      now,
    ],
  );
  return registered!;
}

/** The account that holds this secret key at a provider. */
export function findAccount(
  sql: Sql,
  provider: ProviderName,
  secretKey: string,
): Promise<Account | undefined> {
  return first<Account>(
    sql,
    'select * from sandbox.account where provider = $1 and secret_key = $2',
    [provider, secretKey],
  );
}

/** The account that owns a row. */
export async function accountOf(sql: Sql, owned: { accountId: number }): Promise<Account> {
  return (await first<Account>(sql, 'select * from sandbox.account where id = $1', [
    owned.accountId,
  ]))!;
}

/** Every account, or those of one provider, given by adapter name or slot. */
export function listAccounts(sql: Sql, provider?: string): Promise<Account[]> {
  return all<Account>(
    sql,
    `select * from sandbox.account where $1::text is null or provider = $1 or slot = $1
     order by id`,
    [provider ?? null],
  );
}

import type { Sql } from '../../domain/sql.ts';
import type { Account, ProviderName } from './records.ts';
import { all, first } from './rows.ts';

export interface Registration {
  provider: ProviderName;
  slot?: string | undefined;
  secretKey: string;
  notificationUrl?: string | undefined;
  mode?: 'test' | 'live' | undefined;
}

/** Registers an account, or brings the one with these credentials up to date. What a repeat leaves out stays as it was. */
export async function registerAccount(
  sql: Sql,
  account: Registration,
  defaultSlot: string,
  now: Date,
): Promise<Account & { created: boolean }> {
  const registered = await first<Account & { created: boolean }>(
    sql,
    `insert into sandbox.account as a (provider, slot, mode, secret_key, notification_url, created_at)
     values ($1, coalesce($2, $3), coalesce($4, 'test'), $5, $6, $7)
     on conflict (provider, secret_key) do update
       set slot = coalesce($2, a.slot), mode = coalesce($4, a.mode), notification_url = coalesce($6, a.notification_url)
     returning *, (xmax = 0) as created`,
    [account.provider, account.slot ?? null, defaultSlot, account.mode ?? null, account.secretKey, account.notificationUrl ?? null, now],
  );
  return registered!;
}

/** The account that holds this secret key at a provider. */
export function findAccount(sql: Sql, provider: ProviderName, secretKey: string): Promise<Account | undefined> {
  return first<Account>(sql, 'select * from sandbox.account where provider = $1 and secret_key = $2', [provider, secretKey]);
}

/** The account that owns a row. */
export async function accountOf(sql: Sql, owned: { accountId: number }): Promise<Account> {
  return (await first<Account>(sql, 'select * from sandbox.account where id = $1', [owned.accountId]))!;
}

/** Every account, or those of one provider, given by adapter name or slot. */
export function listAccounts(sql: Sql, provider?: string): Promise<Account[]> {
  return all<Account>(sql, 'select * from sandbox.account where $1::text is null or provider = $1 or slot = $1 order by id', [
    provider ?? null,
  ]);
}

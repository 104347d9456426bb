import { type Manager, recordOnMember } from '../accounts/member/members.ts';
import type { Entities } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { AccountCode } from './entities/account-code.ts';
import { accounts } from './entities/posting.ts';
import type { Account } from './moved.ts';

/** Null: the account goes by its own name. */
export type AccountCodes = Record<Account, string | null>;

export async function findAccountCodes({ em }: Entities, tenantId: string): Promise<AccountCodes> {
  const rows = await em.find(AccountCode, { tenant_id: tenantId });
  const codes = new Map(rows.map(({ account, code }) => [account, code]));
  const entries = accounts.map((account) => [account, codes.get(account) ?? null]);
  return Object.fromEntries(entries) as AccountCodes;
}

/** Null takes a code back. The tenant must be locked. */
export async function changeAccountCodes(
  tx: Tx,
  by: Manager,
  change: Partial<AccountCodes>,
): Promise<void> {
  const { em } = tx;
  const rows = await em.find(AccountCode, { tenant_id: by.tenantId });
  for (const account of accounts) {
    const code = change[account];
    const row = rows.find((one) => one.account === account);
    if (code === undefined || code === (row?.code ?? null)) continue;
    if (code === null) em.remove(row!);
    else if (row) row.code = code;
    else em.create(AccountCode, { tenant_id: by.tenantId, account, code });
    const detail = `${account}: ${code ?? 'none'}`;
    await recordOnMember(tx, by, 'business.account_codes_changed', by.tenantId, detail);
  }
}

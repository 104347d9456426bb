import { p, table } from '../../shared/columns.ts';
import type { accounts } from './posting.ts';

/** What a business calls an account in its own books. */
export const AccountCode = table('account_codes', {
  tenant_id: p.ascii().primary(),
  account: p.text().$type<(typeof accounts)[number]>().primary(),
  code: p.text(),
});

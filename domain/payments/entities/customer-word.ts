import { p, table } from '../../shared/columns.ts';
import { ofPayer, ROW_DELETED } from '../../shared/payer-data.ts';

/** A row says that a word finds a customer, whom an e-mail address tells from others. */
export const CustomerWord = table('customer_words', {
  tenant_id: p.ascii().primary(),
  mode: p.mode().primary(),
  /** In small letters. */
  email: ofPayer(p.ascii().primary(), ROW_DELETED),
  /** Of a name they gave; '' finds every customer. */
  word: ofPayer(p.ascii().primary(), ROW_DELETED),
  /** Has the number of their first charge's id. */
  customer_id: p.ascii(),
});

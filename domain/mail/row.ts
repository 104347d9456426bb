import type { RowOf } from '../shared/columns.ts';
import type { Mail } from './entities/mail.ts';

export type MailRow = RowOf<typeof Mail>;

/** A member has one waiting at most. */
export const isNotice = ({ kind }: Pick<MailRow, 'kind'>): boolean =>
  kind === 'refunds_waiting' || kind === 'discrepancies_opened';

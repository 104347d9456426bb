import { evidenceOf } from '../../../domain/payments/charge-details.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { view } from '../request.ts';
import { chargeOf } from './transaction.ts';

export const evidenceView = view('transactions', {
  path: '/transactions/:reference/evidence/:sha256',
  title: 'What the provider sent',
  template: 'transactions/evidence',
  async load(request) {
    const { db, vault } = request.context;
    const charge = await chargeOf(request);
    const { sha256 = '' } = request.params;
    const payload = /^[0-9a-f]{64}$/.test(sha256)
      ? await evidenceOf({ sql: db, vault }, charge, sha256)
      : undefined;
    if (payload === undefined) throw new Problem('not_found', 'There is no such evidence.');
    return { reference: referenceOf(charge.number), sha256, payload: indented(payload) };
  },
});

function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

import Type from 'typebox';
import { disputeStatuses } from '../../domain/payments/entities/dispute.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

export const disputesQuery = listQuery({
  status: Type.Optional(
    s.choice('DisputeStatus', disputeStatuses, {
      description: 'Only disputes that stand like this.',
    }),
  ),
});

export const dispute = s.resource(
  { title: 'Dispute', object: 'dispute', prefix: 'dsp' },
  'The payer’s bank asks for a payment back.',
  {
    reference: s.reference('Service reference of the charge, `SV-<number>`.'),
    transaction_id: s.id('txn', 'The transaction whose payment is disputed.'),
    amount_kobo: s.kobo('What the payer’s bank asks back, in kobo.', 250_000),
    status: s.choice('DisputeStatus', disputeStatuses, {
      description:
        'How it stands. `open`: the provider holds the money. `won`: you keep it. `lost`: it went ' +
        'back to the payer.',
    }),
    reason: s.nullable(
      s.string('Why the payer’s bank asks, as the provider words it; null where it says nothing.', {
        examples: ['Customer complained about debit without value'],
      }),
    ),
    respond_by: s.nullable(
      s.time(
        'The last moment at which the provider takes an answer; null where it states none. Answer ' +
          'in the provider’s dashboard.',
      ),
    ),
    opened_at: s.time('When the service first heard of it.'),
    decided_at: s.nullable(s.time('When the service heard how it ended; null while it is open.')),
  },
);

export const disputes = s.listOf('DisputeList', dispute, 'A page of disputes.');

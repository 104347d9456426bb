import Type from 'typebox';
import { disputeStatuses } from '../../domain/payments/entities/dispute.ts';
import {
  disputeResponseKinds,
  disputeResponseStatuses,
  evidenceTypes,
} from '../../domain/payments/entities/dispute-response.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

export const disputesQuery = listQuery({
  status: Type.Optional(
    s.choice('DisputeStatus', disputeStatuses, {
      description: 'Only disputes that stand like this.',
    }),
  ),
  reference: s.ofCharge('Only disputes of the charge with this service reference.'),
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
      s.time('The last moment at which the provider takes an answer; null where it states none.'),
    ),
    opened_at: s.time('When the service first heard of it.'),
    decided_at: s.nullable(s.time('When the service heard how it ended; null while it is open.')),
    evidence: s.choice('DisputeEvidence', ['by_api', 'at_provider'], {
      description:
        'How it is answered. `by_api`: with `POST /disputes/{id}/evidence` or ' +
        '`POST /disputes/{id}/accept`. `at_provider`: its provider takes no answers by an API; ' +
        'answer in its dashboard.',
    }),
  },
);

export const disputes = s.listOf('DisputeList', dispute, 'A page of disputes.');

export const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** A payer's own details are the charge's, where none are given. */
export const disputeEvidenceBody = s.body('DisputeEvidenceBody', {
  details: s.text(2_000, {
    format: 'not-blank',
    description: 'What was sold, and how the customer got it.',
    examples: ['Two tickets for 14 March, used at the door at 19:04.'],
  }),
  customer_email: Type.Optional(
    s.text(254, {
      format: 'email',
      description: 'By default the charge’s.',
      examples: ['ada@example.com'],
    }),
  ),
  customer_name: Type.Optional(
    s.text(100, { description: 'By default the charge’s.', examples: ['Ada Obi'] }),
  ),
  customer_phone: Type.Optional(
    s.text(40, {
      format: 'phone',
      description: 'By default the charge’s.',
      examples: ['+2348012345678'],
    }),
  ),
  delivery_address: Type.Optional(
    s.text(500, {
      description: 'Where the goods were delivered to.',
      examples: ['3a Ladoke Street, Ogbomoso'],
    }),
  ),
  delivery_date: Type.Optional(s.day('The day of the delivery.')),
  file: Type.Optional(
    s.text(Math.ceil(MAX_FILE_BYTES / 3) * 4, {
      format: 'base64',
      description: 'One PDF, JPEG or PNG of at most 2 MB, in base64.',
      examples: ['JVBERi0xLjcK'],
    }),
  ),
});

export const acceptDisputeBody = s.body('AcceptDisputeBody', {
  note: s.text(500, {
    format: 'not-blank',
    description: 'Why you accept it. The provider and your audit log get it.',
    examples: ['The parcel was lost.'],
  }),
});

export const disputeResponse = s.resource(
  { title: 'DisputeResponse', object: 'dispute_response', prefix: 'dre' },
  'What you say to a dispute. How the dispute ends is decided at its provider.',
  {
    dispute_id: s.id('dsp', 'The dispute.'),
    kind: s.choice('DisputeResponseKind', disputeResponseKinds, {
      description: '`evidence` contests the dispute. `acceptance` gives the money back.',
    }),
    status: s.choice('DisputeResponseStatus', disputeResponseStatuses, {
      description:
        'Whether the provider has it. `requested`: not before a second Owner accepts, too. `waiting` and `sending`: not yet, it is tried again. ' +
        '`sent`: it has. `refused`: it has not taken it; send another.',
    }),
    file_type: s.nullInExample(
      s.choice('EvidenceType', evidenceTypes, {
        description: 'What its file is; null where it has none.',
      }),
    ),
    failure_message: s.nullInExample(
      s.string('Why it was refused, as a sentence for people; null where it was not.'),
    ),
    created_at: s.time('When it was given.'),
    finished_at: s.nullable(s.time('When it was sent, or refused; null until then.')),
  },
);

export const disputeResponses = s.listOf(
  'DisputeResponseList',
  disputeResponse,
  'A page of responses to a dispute.',
);

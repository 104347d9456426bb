import { Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { acceptOrReturnReview } from '../../domain/payments/commands/accept-or-return-review.ts';
import { type ClearUp, clearUpRefund } from '../../domain/payments/commands/clear-up-refund.ts';
import { enterDispute } from '../../domain/payments/commands/enter-dispute.ts';
import { disputeView } from '../../domain/payments/dispute/row.ts';
import type { DisputeStatus } from '../../domain/payments/dispute/transitions.ts';
import { refundSources } from '../../domain/payments/entities/refund.ts';
import { type ReviewReason, reviewReasons } from '../../domain/payments/entities/review-reasons.ts';
import { listRefundsInNeed, ownerOfRefund } from '../../domain/payments/refund/find.ts';
import { type RefundRow, type RefundSource, refundView } from '../../domain/payments/refund/row.ts';
import { listAllReviews, ownerOfReview } from '../../domain/payments/review/find.ts';
import { type ReviewRow, reviewView } from '../../domain/payments/review/row.ts';
import type { ReviewDecision } from '../../domain/payments/review/transitions.ts';
import type { Capabilities } from '../../domain/providers/port/provider.ts';
import { providers } from '../../domain/providers/registry.ts';
import { closeDiscrepancy } from '../../domain/settlements/discrepancy/close.ts';
import {
  listAllDiscrepancies,
  ownerOfDiscrepancy,
} from '../../domain/settlements/discrepancy/find.ts';
import { type DiscrepancyRow, discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import type {
  DiscrepancyKind,
  DiscrepancyStatus,
} from '../../domain/settlements/discrepancy/transitions.ts';
import {
  discrepancyKinds,
  discrepancyStatuses,
} from '../../domain/settlements/entities/discrepancy.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import {
  actorOf,
  decide,
  expectId,
  type ListOptions,
  limitOf,
  limitOption,
  listed,
  noteOf,
  type OperatorCommand,
  required,
  type Shown,
  sentenceOf,
} from './operate.ts';

const note = (what: string) => new Option('--note <text>', what);
const status = (choices: readonly string[]) =>
  new Option('--status <status>', 'which').choices([...choices, 'all']).default('open');
const before = (what: string) => new Option('--before <id>', `only those older than this ${what}`);

const review: Shown<ReviewRow> = {
  none: 'Nothing is in review.',
  viewOf: reviewView,
  describe({ id, status, reason, number, amount_kobo: kobo, created_at: at, ...row }) {
    const amount = kobo === null ? '' : `  ${formatNaira(kobo)}`;
    return `${id}  ${status}  ${reason}  SV-${number}${amount}  ${at.toISOString()}\n  ${row.detail}  (${row.tenant_id}, ${row.mode})`;
  },
};

const paidFrom = new Option(
  '--paid-from <account>',
  'it went back already, outside of this service, from this account',
).choices(refundSources);

const decideReview = (
  decision: ReviewDecision,
  name: string,
  description: string,
  ...options: Option[]
) => ({
  name: `${name} <id>`,
  description,
  options: [note('why, for the history of the charge and the audit log'), ...options],
  async run(context: Context, given: { note?: string; paidFrom?: RefundSource }, id: string) {
    const { paidFrom } = given;
    const note = noteOf(given.note);
    expectId('rev', id, 'review');
    const owner = await ownerOfReview(context.db, id);
    return decide(context, owner, review, (tx, operator) =>
      acceptOrReturnReview(tx, operator, { id, decision, paidFrom, note }),
    );
  },
});

const refund: Shown<RefundRow> = {
  none: 'No refund needs attention.',
  viewOf: refundView,
  describe({ id, status, number, amount_kobo: kobo, attention, tenant_id, mode }) {
    const why = attention === null ? '' : `${attention}  `;
    return `${id}  ${status}  SV-${number}  ${formatNaira(kobo)}\n  ${why}(${tenant_id}, ${mode})`;
  },
};

const clearUp = (decision: ClearUp, description: string) => ({
  name: `${decision.replace(' ', '-')} <id>`,
  description,
  options: [note('what was seen there, for the timeline of the charge and the audit log')],
  async run(context: Context, given: { note?: string }, id: string) {
    const note = noteOf(given.note);
    const owner = await ownerOfRefund(context.db, id);
    return decide(context, owner, refund, (tx, operator) =>
      clearUpRefund(tx, operator, { id, decision, note }),
    );
  },
});

type DisputeOptions = { charge: string; amount?: string; note?: string };

const dispute = (state: DisputeStatus, description: string) => ({
  name: state,
  description,
  options: [
    required('--charge <reference>', 'the service reference of the charge, SV-<number>'),
    new Option(
      '--amount <kobo>',
      'what is disputed, in kobo; all of the payment where it is not given',
    ),
    note('for the history of the charge and the audit log'),
  ],
  async run(context: Context, { charge, amount, note }: DisputeOptions) {
    const chargeNumber = numberOf(charge);
    if (chargeNumber === undefined)
      throw new Problem('not_found', '--charge must be a service reference, SV-<number>.');
    const entered = {
      ...{ chargeNumber, state, amountKobo: koboOf(amount), note: noteOf(note) },
      actor: await actorOf(context),
    };
    const row = await context.inTx((tx) => enterDispute(tx, entered));
    const amountText = formatNaira(row.amount_kobo);
    const text = `${row.id}: the dispute about ${amountText} of ${charge} is ${row.status}.`;
    return { object: { ...disputeView(row, chargeNumber), tenant_id: row.tenant_id }, text };
  },
});

function koboOf(amount: string | undefined): number | null {
  if (amount === undefined) return null;
  if (/^[1-9][0-9]{0,14}$/.test(amount)) return Number(amount);
  throw new Problem('validation_failed', '--amount must be whole kobo, at least 1.');
}

const namesWith = (disputes: Capabilities['disputes']) =>
  Object.values(providers)
    .filter(({ capabilities }) => capabilities.disputes === disputes)
    .map(({ name }) => name)
    .join(', ');

const discrepancy: Shown<DiscrepancyRow> = {
  none: 'There is no such discrepancy.',
  viewOf: discrepancyView,
  describe({ id, status, kind, amount_kobo: kobo, day, detail, close_reason: reason, ...row }) {
    const about = row.reference ?? row.settlement_id ?? row.subject;
    const why = reason === null ? '' : `  Closed: ${reason}`;
    return `${id}  ${status}  ${kind}  ${formatNaira(kobo)}  ${about}  ${day}\n  ${detail}${why}  (${row.tenant_id}, ${row.mode}, ${row.slot})`;
  },
};

interface DiscrepancyFilter extends ListOptions {
  status: DiscrepancyStatus | 'all';
  kind?: DiscrepancyKind;
  tenant?: string;
}

interface ReviewFilter extends ListOptions {
  status: 'open' | 'closed' | 'all';
  reason?: ReviewReason;
}

/** Decisions of operators: the commands of each group, with what they are about. */
export const decisions: Record<string, { about: string; commands: OperatorCommand[] }> = {
  review: {
    about: 'Payments that do not match their charge and wait for a person to decide.',
    commands: [
      {
        name: 'list',
        description: 'Lists reviews of every tenant, newest first.',
        options: [
          status(['open', 'closed']),
          new Option('--reason <reason>', 'only those for this reason').choices(reviewReasons),
          limitOption,
          before('review'),
        ],
        async run({ db }, options: ReviewFilter) {
          const isOpen = options.status === 'all' ? undefined : options.status === 'open';
          const { reason, before = '~' } = options;
          const wanted = { isOpen, reason, before, limit: limitOf(options) };
          return listed(await listAllReviews(db, wanted), review);
        },
      },
      decideReview(
        ...(['accepted', 'accept'] as const),
        'Accepts the payment as it is; it pays the charge where nothing has paid it yet.',
      ),
      decideReview(
        ...(['returned', 'return'] as const),
        'Sends the money in question back to the payer, without an Owner’s approval.',
        paidFrom,
      ),
    ],
  },
  refund: {
    about: 'Refunds that wait until a person has looked in the provider’s dashboard.',
    commands: [
      {
        name: 'list',
        description: 'Lists refunds of every tenant that need attention, the oldest first.',
        options: [limitOption],
        run: async ({ db }, options: ListOptions) =>
          listed(await listRefundsInNeed(db, limitOf(options)), refund),
      },
      clearUp('send again', 'The refund is not in the provider’s dashboard: send it once more.'),
      clearUp(
        'give up',
        'The refund is not in the provider’s dashboard, or cannot be sent: it fails, and its ' +
          'amount can be refunded again.',
      ),
    ],
  },
  dispute: {
    about:
      `Enter disputes by hand, for providers that have no list of them (${namesWith('none')}). ` +
      `Workers find those of the others (${namesWith('api')}).`,
    commands: [
      dispute(
        'open',
        'The payer’s bank claims the payment: the charge is disputed, and the merchant gets an event.',
      ),
      dispute(
        'won',
        'The open dispute was decided for the merchant: the charge is succeeded or settled again.',
      ),
      dispute(
        'lost',
        'The money went back to the payer: the charge is refunded, also without an open dispute.',
      ),
    ],
  },
  discrepancy: {
    about: 'Differences between our records and what providers pay out or report.',
    commands: [
      {
        name: 'list',
        description: 'Lists discrepancies of every tenant, newest first.',
        options: [
          status(discrepancyStatuses),
          new Option('--kind <kind>', 'only those of this kind').choices(discrepancyKinds),
          new Option('--tenant <id>', 'only those of this tenant'),
          limitOption,
          before('discrepancy'),
        ],
        async run({ db }, options: DiscrepancyFilter) {
          const status = options.status === 'all' ? undefined : options.status;
          const { kind, tenant: tenantId, before = '~' } = options;
          const wanted = { status, kind, tenantId, before, limit: limitOf(options) };
          return listed(await listAllDiscrepancies(db, wanted), discrepancy);
        },
      },
      {
        name: 'close <id>',
        description:
          'Accepts a discrepancy as it is. The service resolves discrepancies that vanish.',
        options: [required('--reason <text>', 'why, for the discrepancy itself and the audit log')],
        async run(context, given: { reason: string }, id) {
          const reason = sentenceOf('--reason', given.reason);
          expectId('dsc', id, 'discrepancy');
          const owner = await ownerOfDiscrepancy(context.db, id);
          return decide(context, owner, discrepancy, (tx, operator) =>
            closeDiscrepancy(tx, operator, { id, reason }),
          );
        },
      },
    ],
  },
};

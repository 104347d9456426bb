import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { acceptOrReturnReview } from '../../domain/payments/commands/accept-or-return-review.ts';
import { type ReviewReason, reviewReasons } from '../../domain/payments/entities/review-reasons.ts';
import { listAllReviews, ownerOfReview } from '../../domain/payments/review/find.ts';
import { type ReviewRow, reviewView } from '../../domain/payments/review/row.ts';
import type { ReviewDecision } from '../../domain/payments/review/transitions.ts';
import { isId } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import {
  addCommand,
  type ListOptions,
  limitOf,
  limitOption,
  listed,
  noteOf,
  operatorOf,
  type Printed,
} from './operate.ts';

interface Filter extends ListOptions {
  status: 'open' | 'closed' | 'all';
  reason?: ReviewReason;
}

const decisions: Record<string, [ReviewDecision, description: string]> = {
  accept: [
    'accepted',
    'Accepts the payment as it is; it pays the charge where nothing has paid it yet.',
  ],
  return: [
    'returned',
    'Sends the money in question back to the payer, without an Owner’s approval.',
  ],
};

/** `review list`, `review accept`, `review return`. */
export function addReviewCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('review')
    .description('Payments that do not match their charge and wait for a person to decide.');
  addCommand<Filter>(commands, terminal, {
    name: 'list',
    description: 'Lists reviews of every tenant, newest first.',
    options: [
      new Option('--status <status>', 'which').choices(['open', 'closed', 'all']).default('open'),
      new Option('--reason <reason>', 'only those for this reason').choices(reviewReasons),
      limitOption(),
      new Option('--before <id>', 'only those older than this review'),
    ],
    run: list,
  });
  for (const [verb, [decision, description]] of Object.entries(decisions))
    addCommand<{ note?: string }>(commands, terminal, {
      name: `${verb} <id>`,
      description,
      options: [
        new Option('--note <text>', 'why, for the history of the charge and the audit log'),
      ],
      run: (context, options, id) => decideOne(context, id, decision, options.note),
    });
}

async function list({ db }: Context, options: Filter): Promise<Printed> {
  const isOpen = options.status === 'all' ? undefined : options.status === 'open';
  const { reason, before = '~' } = options;
  const rows = await listAllReviews(db, { isOpen, reason, before, limit: limitOf(options) });
  return listed(rows, viewOf, describe, 'Nothing is in review.');
}

async function decideOne(
  context: Context,
  id: string,
  decision: ReviewDecision,
  given: string | undefined,
): Promise<Printed> {
  const note = noteOf(given);
  if (!isId('rev', id))
    throw new Problem('not_found', `${id} is no review: their ids begin with rev_.`);
  const operator = operatorOf(await ownerOfReview(context.db, id));
  const review = await context.inTx((tx) =>
    acceptOrReturnReview(tx, operator, { id, decision, note }),
  );
  return { object: viewOf(review), text: describe(review) };
}

function viewOf(review: ReviewRow) {
  return { ...reviewView(review), tenant_id: review.tenant_id };
}

function describe(review: ReviewRow): string {
  const { id, tenant_id, mode, number, reason, detail, amount_kobo: amountKobo, status } = review;
  const amount = amountKobo === null ? '' : `  ${formatNaira(amountKobo)}`;
  return `${id}  ${status}  ${reason}  SV-${number}${amount}  ${review.created_at.toISOString()}\n  ${detail}  (${tenant_id}, ${mode})`;
}

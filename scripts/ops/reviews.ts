import { type Command, Option } from 'commander';
import { acceptOrReturnReview } from '../../domain/payments/accept-or-return-review.ts';
import type { ReviewReason } from '../../domain/payments/entities/review-reasons.ts';
import { reviewReasons } from '../../domain/payments/entities/review-reasons.ts';
import { listAllReviews, ownerOfReview } from '../../domain/payments/review/find.ts';
import { type ReviewRow, reviewView } from '../../domain/payments/review/row.ts';
import type { ReviewDecision } from '../../domain/payments/review/transitions.ts';
import { isId } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { change, noteOf, type Output, operate, operatorOf } from './operate.ts';

interface ListOptions extends Output {
  status: 'open' | 'closed' | 'all';
  reason?: ReviewReason;
  limit: string;
  before?: string;
}

interface DecideOptions extends Output {
  note?: string;
}

/** `review list`, `review accept`, `review return`. */
export function addReviewCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('review')
    .description('Payments that do not match their charge and wait for a person to decide.');
  commands
    .command('list')
    .description('Lists reviews of every tenant, newest first.')
    .addOption(
      new Option('--status <status>', 'which').choices(['open', 'closed', 'all']).default('open'),
    )
    .addOption(new Option('--reason <reason>', 'only those for this reason').choices(reviewReasons))
    .option('--limit <number>', 'most of them, 1 to 1000', '50')
    .option('--before <id>', 'only those older than this review')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: ListOptions) => list(terminal, options));
  const decide = (verb: string, decision: ReviewDecision, description: string) =>
    commands
      .command(`${verb} <id>`)
      .description(description)
      .option('--note <text>', 'why, for the history of the charge and the audit log')
      .option('--json', 'print one JSON object and nothing else')
      .action((id: string, options: DecideOptions) => decideOne(terminal, id, decision, options));
  decide(
    'accept',
    'accepted',
    'Accepts the payment as it is; it pays the charge where nothing has paid it yet.',
  );
  decide(
    'return',
    'returned',
    'Sends the money in question back to the payer, without an Owner’s approval.',
  );
}

function list(terminal: Terminal, options: ListOptions): Promise<void> {
  return operate(terminal, options, async ({ db }) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new Problem('validation_failed', '--limit must be 1 to 1000.');
    const isOpen = options.status === 'all' ? undefined : options.status === 'open';
    const rows = await listAllReviews(db, {
      isOpen,
      reason: options.reason,
      before: options.before ?? '~',
      limit,
    });
    const data = rows.map((row) => ({ ...reviewView(row), tenant_id: row.tenant_id }));
    return {
      object: { data },
      text: rows.length === 0 ? 'Nothing is in review.' : rows.map(describe).join('\n'),
    };
  });
}

function decideOne(
  terminal: Terminal,
  id: string,
  decision: ReviewDecision,
  options: DecideOptions,
): Promise<void> {
  return operate(terminal, options, async (context) => {
    const note = noteOf(options.note);
    if (!isId('rev', id))
      throw new Problem('not_found', `${id} is no review: their ids begin with rev_.`);
    const operator = operatorOf(await ownerOfReview(context.db, id));
    const { review } = await change(context, (tx) =>
      acceptOrReturnReview(tx, operator, { id, decision, note }),
    );
    return {
      object: { ...reviewView(review), tenant_id: review.tenant_id },
      text: describe(review),
    };
  });
}

function describe(review: ReviewRow): string {
  const {
    id,
    tenant_id: tenantId,
    mode,
    number,
    reason,
    detail,
    amount_kobo: amountKobo,
    status,
    created_at: createdAt,
  } = review;
  const amount = amountKobo === null ? '' : `  ${formatNaira(amountKobo)}`;
  return `${id}  ${status}  ${reason}  SV-${number}${amount}  ${createdAt.toISOString()}\n  ${detail}  (${tenantId}, ${mode})`;
}

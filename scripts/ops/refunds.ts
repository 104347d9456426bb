import type { Command } from 'commander';
import { type ClearUp, clearUpRefund } from '../../domain/payments/clear-up-refund.ts';
import { listRefundsInNeed, ownerOfRefund } from '../../domain/payments/refund/find.ts';
import { type RefundRow, refundView } from '../../domain/payments/refund/row.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { change, noteOf, type Output, operate, operatorOf } from './operate.ts';

interface ListOptions extends Output {
  limit: string;
}

interface ClearUpOptions extends Output {
  note?: string;
}

/** `refund list`, `refund send-again`, `refund give-up`. */
export function addRefundCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('refund')
    .description('Refunds that wait until a person has looked in the provider’s dashboard.');
  commands
    .command('list')
    .description('Lists refunds of every tenant that need attention, the oldest first.')
    .option('--limit <number>', 'most of them, 1 to 1000', '50')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: ListOptions) => list(terminal, options));
  const clearUp = (verb: string, decision: ClearUp, description: string) =>
    commands
      .command(`${verb} <id>`)
      .description(description)
      .option(
        '--note <text>',
        'what was seen there, for the timeline of the charge and the audit log',
      )
      .option('--json', 'print one JSON object and nothing else')
      .action((id: string, options: ClearUpOptions) => clearUpOne(terminal, id, decision, options));
  clearUp(
    'send-again',
    'send again',
    'The refund is not in the provider’s dashboard: send it once more.',
  );
  clearUp(
    'give-up',
    'give up',
    'The refund is not in the provider’s dashboard, or cannot be sent: it fails, and its amount ' +
      'can be refunded again.',
  );
}

function list(terminal: Terminal, options: ListOptions): Promise<void> {
  return operate(terminal, options, async ({ db }) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new Problem('validation_failed', '--limit must be 1 to 1000.');
    const rows = await listRefundsInNeed(db, limit);
    const text = rows.length === 0 ? 'No refund needs attention.' : rows.map(describe).join('\n');
    return { object: { data: rows.map(viewOf) }, text };
  });
}

function clearUpOne(
  terminal: Terminal,
  id: string,
  decision: ClearUp,
  options: ClearUpOptions,
): Promise<void> {
  return operate(terminal, options, async (context) => {
    const note = noteOf(options.note);
    const operator = operatorOf(await ownerOfRefund(context.db, id));
    const { refund } = await change(context, (tx) =>
      clearUpRefund(tx, operator, { id, decision, note }),
    );
    return { object: viewOf(refund), text: describe(refund) };
  });
}

function viewOf(refund: RefundRow) {
  return { ...refundView(refund), tenant_id: refund.tenant_id };
}

function describe({
  id,
  status,
  number,
  amount_kobo: amountKobo,
  attention,
  tenant_id: tenantId,
  mode,
}: RefundRow): string {
  const why = attention === null ? '' : `${attention}  `;
  return `${id}  ${status}  SV-${number}  ${formatNaira(amountKobo)}\n  ${why}(${tenantId}, ${mode})`;
}

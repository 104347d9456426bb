import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { type ClearUp, clearUpRefund } from '../../domain/payments/commands/clear-up-refund.ts';
import { listRefundsInNeed, ownerOfRefund } from '../../domain/payments/refund/find.ts';
import { type RefundRow, refundView } from '../../domain/payments/refund/row.ts';
import { formatNaira } from '../../domain/shared/money.ts';
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

const DESCRIPTIONS: Record<ClearUp, string> = {
  'send again': 'The refund is not in the provider’s dashboard: send it once more.',
  'give up':
    'The refund is not in the provider’s dashboard, or cannot be sent: it fails, and its amount ' +
    'can be refunded again.',
};

/** `refund list`, `refund send-again`, `refund give-up`. */
export function addRefundCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('refund')
    .description('Refunds that wait until a person has looked in the provider’s dashboard.');
  addCommand<ListOptions>(commands, terminal, {
    name: 'list',
    description: 'Lists refunds of every tenant that need attention, the oldest first.',
    options: [limitOption()],
    run: async ({ db }, options) =>
      listed(
        await listRefundsInNeed(db, limitOf(options)),
        viewOf,
        describe,
        'No refund needs attention.',
      ),
  });
  for (const [decision, description] of Object.entries(DESCRIPTIONS))
    addCommand<{ note?: string }>(commands, terminal, {
      name: `${decision.replace(' ', '-')} <id>`,
      description,
      options: [
        new Option(
          '--note <text>',
          'what was seen there, for the timeline of the charge and the audit log',
        ),
      ],
      run: (context, options, id) => clearUpOne(context, id, decision as ClearUp, options.note),
    });
}

async function clearUpOne(
  context: Context,
  id: string,
  decision: ClearUp,
  given: string | undefined,
): Promise<Printed> {
  const note = noteOf(given);
  const operator = operatorOf(await ownerOfRefund(context.db, id));
  const refund = await context.inTx((tx) => clearUpRefund(tx, operator, { id, decision, note }));
  return { object: viewOf(refund), text: describe(refund) };
}

function viewOf(refund: RefundRow) {
  return { ...refundView(refund), tenant_id: refund.tenant_id };
}

function describe(refund: RefundRow): string {
  const { id, status, number, amount_kobo: amountKobo, attention, tenant_id, mode } = refund;
  const why = attention === null ? '' : `${attention}  `;
  return `${id}  ${status}  SV-${number}  ${formatNaira(amountKobo)}\n  ${why}(${tenant_id}, ${mode})`;
}

import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
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
  operatorOf,
  type Printed,
} from './operate.ts';

interface Filter extends ListOptions {
  status: DiscrepancyStatus | 'all';
  kind?: DiscrepancyKind;
  tenant?: string;
}

/** `discrepancy list`, `discrepancy close`. */
export function addDiscrepancyCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('discrepancy')
    .description('Differences between our records and what providers pay out or report.');
  addCommand<Filter>(commands, terminal, {
    name: 'list',
    description: 'Lists discrepancies of every tenant, newest first.',
    options: [
      new Option('--status <status>', 'which')
        .choices([...discrepancyStatuses, 'all'])
        .default('open'),
      new Option('--kind <kind>', 'only those of this kind').choices(discrepancyKinds),
      new Option('--tenant <id>', 'only those of this tenant'),
      limitOption(),
      new Option('--before <id>', 'only those older than this discrepancy'),
    ],
    run: list,
  });
  addCommand<{ reason: string }>(commands, terminal, {
    name: 'close <id>',
    description: 'Accepts a discrepancy as it is. The service resolves discrepancies that vanish.',
    options: [
      new Option(
        '--reason <text>',
        'why, for the discrepancy itself and the audit log',
      ).makeOptionMandatory(),
    ],
    run: closeOne,
  });
}

async function list({ db }: Context, options: Filter): Promise<Printed> {
  const status = options.status === 'all' ? undefined : options.status;
  const { kind, tenant: tenantId, before = '~' } = options;
  const limit = limitOf(options);
  const rows = await listAllDiscrepancies(db, { status, kind, tenantId, before, limit });
  return listed(rows, objectOf, describe, 'There is no such discrepancy.');
}

async function closeOne(
  context: Context,
  options: { reason: string },
  id: string,
): Promise<Printed> {
  const reason = reasonOf(options.reason);
  if (!isId('dsc', id))
    throw new Problem('not_found', `${id} is no discrepancy: their ids begin with dsc_.`);
  const operator = operatorOf(await ownerOfDiscrepancy(context.db, id));
  const closed = await context.inTx((tx) => closeDiscrepancy(tx, operator, { id, reason }));
  return { object: objectOf(closed), text: describe(closed) };
}

function reasonOf(reason: string): string {
  if (reason.trim() === '' || reason.length > 500 || reason.includes('\0')) {
    throw new Problem('validation_failed', '--reason must be 1 to 500 characters.');
  }
  return reason;
}

function objectOf(discrepancy: DiscrepancyRow): object {
  return { ...discrepancyView(discrepancy), tenant_id: discrepancy.tenant_id };
}

function describe(discrepancy: DiscrepancyRow): string {
  const { id, tenant_id, mode, slot, kind, status, day, detail, close_reason } = discrepancy;
  const about = discrepancy.reference ?? discrepancy.settlement_id;
  const why = close_reason === null ? '' : `  Closed: ${close_reason}`;
  const amount = formatNaira(discrepancy.amount_kobo);
  return `${id}  ${status}  ${kind}  ${amount}  ${about}  ${day}\n  ${detail}${why}  (${tenant_id}, ${mode}, ${slot})`;
}

import { type Command, Option } from 'commander';
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
import { change, type Output, operate, operatorOf } from './operate.ts';

interface ListOptions extends Output {
  status: DiscrepancyStatus | 'all';
  kind?: DiscrepancyKind;
  tenant?: string;
  limit: string;
  before?: string;
}

interface CloseOptions extends Output {
  reason: string;
}

/** `discrepancy list`, `discrepancy close`. */
export function addDiscrepancyCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('discrepancy')
    .description('Differences between our records and what providers pay out or report.');
  commands
    .command('list')
    .description('Lists discrepancies of every tenant, newest first.')
    .addOption(
      new Option('--status <status>', 'which')
        .choices([...discrepancyStatuses, 'all'])
        .default('open'),
    )
    .addOption(new Option('--kind <kind>', 'only those of this kind').choices(discrepancyKinds))
    .option('--tenant <id>', 'only those of this tenant')
    .option('--limit <number>', 'most of them, 1 to 1000', '50')
    .option('--before <id>', 'only those older than this discrepancy')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: ListOptions) => list(terminal, options));
  commands
    .command('close <id>')
    .description('Accepts a discrepancy as it is. The service resolves discrepancies that vanish.')
    .requiredOption('--reason <text>', 'why, for the discrepancy itself and the audit log')
    .option('--json', 'print one JSON object and nothing else')
    .action((id: string, options: CloseOptions) => closeOne(terminal, id, options));
}

function list(terminal: Terminal, options: ListOptions): Promise<void> {
  return operate(terminal, options, async ({ db }) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new Problem('validation_failed', '--limit must be 1 to 1000.');
    const status = options.status === 'all' ? undefined : options.status;
    const { kind, tenant: tenantId, before = '~' } = options;
    const rows = await listAllDiscrepancies(db, { status, kind, tenantId, before, limit });
    const data = rows.map(objectOf);
    return {
      object: { data },
      text: rows.length === 0 ? 'There is no such discrepancy.' : rows.map(describe).join('\n'),
    };
  });
}

function closeOne(terminal: Terminal, id: string, options: CloseOptions): Promise<void> {
  return operate(terminal, options, async (context) => {
    const reason = reasonOf(options.reason);
    if (!isId('dsc', id))
      throw new Problem('not_found', `${id} is no discrepancy: their ids begin with dsc_.`);
    const operator = operatorOf(await ownerOfDiscrepancy(context.db, id));
    const { closed } = await change(context, async (tx) => ({
      closed: await closeDiscrepancy(tx, operator, { id, reason }),
      jobs: [],
    }));
    return { object: objectOf(closed), text: describe(closed) };
  });
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
  const {
    id,
    tenant_id: tenantId,
    mode,
    slot,
    kind,
    status,
    day,
    detail,
    close_reason: reason,
  } = discrepancy;
  const about = discrepancy.reference ?? discrepancy.settlement_id;
  const why = reason === null ? '' : `  Closed: ${reason}`;
  const amount = formatNaira(discrepancy.amount_kobo);
  return `${id}  ${status}  ${kind}  ${amount}  ${about}  ${day}\n  ${detail}${why}  (${tenantId}, ${mode}, ${slot})`;
}

import type { Command } from 'commander';
import type { DisputeRow } from '../../domain/payments/dispute/row.ts';
import type { DisputeStatus } from '../../domain/payments/dispute/transitions.ts';
import { enterDispute } from '../../domain/payments/enter-dispute.ts';
import type { Capabilities } from '../../domain/providers/provider.ts';
import { providers } from '../../domain/providers/registry.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { change, noteOf, type Output, operate } from './operate.ts';

interface DisputeOptions extends Output {
  charge: string;
  amount?: string;
  note?: string;
}

/** `dispute open`, `dispute won`, `dispute lost`. */
export function addDisputeCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('dispute')
    .description(
      `Enter disputes by hand, for providers that have no list of them (${namesWith('none')}). ` +
        `Workers find those of the others (${namesWith('api')}).`,
    );
  const enter = (name: string, state: DisputeStatus, description: string) =>
    commands
      .command(name)
      .description(description)
      .requiredOption('--charge <reference>', 'the service reference of the charge, SV-<number>')
      .option(
        '--amount <kobo>',
        'what is disputed, in kobo; all of the payment where it is not given',
      )
      .option('--note <text>', 'for the history of the charge and the audit log')
      .option('--json', 'print one JSON object and nothing else')
      .action((options: DisputeOptions) => enterOne(terminal, state, options));
  enter(
    'open',
    'open',
    'The payer’s bank claims the payment: the charge is disputed, and the merchant gets an event.',
  );
  enter(
    'won',
    'won',
    'The open dispute was decided for the merchant: the charge is succeeded or settled again.',
  );
  enter(
    'lost',
    'lost',
    'The money went back to the payer: the charge is refunded, also without an open dispute.',
  );
}

function namesWith(disputes: Capabilities['disputes']): string {
  return Object.values(providers)
    .filter(({ capabilities }) => capabilities.disputes === disputes)
    .map(({ name }) => name)
    .join(', ');
}

function enterOne(
  terminal: Terminal,
  state: DisputeStatus,
  options: DisputeOptions,
): Promise<void> {
  return operate(terminal, options, async (context) => {
    const chargeNumber = numberOf(options.charge);
    if (chargeNumber === undefined)
      throw new Problem('not_found', '--charge must be a service reference, SV-<number>.');
    const entered = {
      chargeNumber,
      state,
      amountKobo: koboOf(options.amount),
      note: noteOf(options.note),
    };
    const { dispute } = await change(context, (tx) => enterDispute(tx, entered));
    return { object: viewOf(dispute, options.charge), text: describe(dispute, options.charge) };
  });
}

function koboOf(amount: string | undefined): number | null {
  if (amount === undefined) return null;
  if (/^[1-9][0-9]{0,14}$/.test(amount)) return Number(amount);
  throw new Problem('validation_failed', '--amount must be whole kobo, at least 1.');
}

function viewOf(dispute: DisputeRow, reference: string) {
  return {
    object: 'dispute',
    id: dispute.id,
    reference,
    transaction_id: dispute.charge_id,
    amount_kobo: dispute.amount_kobo,
    status: dispute.status,
    opened_at: dispute.opened_at.toISOString(),
    decided_at: dispute.decided_at?.toISOString() ?? null,
    mode: dispute.mode,
    tenant_id: dispute.tenant_id,
  };
}

function describe({ id, status, amount_kobo: amountKobo }: DisputeRow, reference: string): string {
  return `${id}: the dispute about ${formatNaira(amountKobo)} of ${reference} is ${status}.`;
}

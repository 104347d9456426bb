import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { enterDispute } from '../../domain/payments/commands/enter-dispute.ts';
import type { DisputeRow } from '../../domain/payments/dispute/row.ts';
import type { DisputeStatus } from '../../domain/payments/dispute/transitions.ts';
import type { Capabilities } from '../../domain/providers/port/provider.ts';
import { providers } from '../../domain/providers/registry.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { addCommand, noteOf, type Printed } from './operate.ts';

interface DisputeOptions {
  charge: string;
  amount?: string;
  note?: string;
}

const DESCRIPTIONS: Record<DisputeStatus, string> = {
  open: 'The payer’s bank claims the payment: the charge is disputed, and the merchant gets an event.',
  won: 'The open dispute was decided for the merchant: the charge is succeeded or settled again.',
  lost: 'The money went back to the payer: the charge is refunded, also without an open dispute.',
};

/** `dispute open`, `dispute won`, `dispute lost`. */
export function addDisputeCommands(root: Command, terminal: Terminal): void {
  const commands = root
    .command('dispute')
    .description(
      `Enter disputes by hand, for providers that have no list of them (${namesWith('none')}). ` +
        `Workers find those of the others (${namesWith('api')}).`,
    );
  for (const [state, description] of Object.entries(DESCRIPTIONS))
    addCommand<DisputeOptions>(commands, terminal, {
      name: state,
      description,
      options: [
        new Option(
          '--charge <reference>',
          'the service reference of the charge, SV-<number>',
        ).makeOptionMandatory(),
        new Option(
          '--amount <kobo>',
          'what is disputed, in kobo; all of the payment where it is not given',
        ),
        new Option('--note <text>', 'for the history of the charge and the audit log'),
      ],
      run: (context, options) => enterOne(context, state as DisputeStatus, options),
    });
}

function namesWith(disputes: Capabilities['disputes']): string {
  return Object.values(providers)
    .filter(({ capabilities }) => capabilities.disputes === disputes)
    .map(({ name }) => name)
    .join(', ');
}

async function enterOne(
  context: Context,
  state: DisputeStatus,
  { charge, amount, note }: DisputeOptions,
): Promise<Printed> {
  const chargeNumber = numberOf(charge);
  if (chargeNumber === undefined)
    throw new Problem('not_found', '--charge must be a service reference, SV-<number>.');
  const entered = { chargeNumber, state, amountKobo: koboOf(amount), note: noteOf(note) };
  const dispute = await context.inTx((tx) => enterDispute(tx, entered));
  return { object: viewOf(dispute, charge), text: describe(dispute, charge) };
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

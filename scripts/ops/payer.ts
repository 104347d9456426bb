import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import {
  type Erased,
  erasePayer,
  findPayersPayments,
} from '../../domain/payments/commands/erase-payer.ts';
import { eraseNotifications } from '../../domain/payments/notification/erase.ts';
import { isId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { addCommand, type Printed } from './operate.ts';

const PER_TRANSACTION = 50;

export function addPayerCommands(root: Command, terminal: Terminal): void {
  const commands = root.command('payer').description('The people who pay.');
  addCommand<{ tenant: string }>(commands, terminal, {
    name: 'erase <email>',
    description:
      'Removes the data of a payer of one tenant; amounts, statuses and references stay. ' +
      'Charges that can still be paid are left: repeat it when they have ended.',
    options: [new Option('--tenant <id>', 'the tenant whose payer it is').makeOptionMandatory()],
    run: (context, { tenant }, email) => erase(context, email, tenant),
  });
}

async function erase(context: Context, email: string, tenantId: string): Promise<Printed> {
  if (!isId('ten', tenantId))
    throw new Problem('not_found', `${tenantId} is no tenant: their ids begin with ten_.`);
  const found = await findPayersPayments(context.db, tenantId, email);
  // First what is found by the charges, which are found by the address: then it can be repeated.
  const notifications = await eraseNotifications(context.db, found);
  const erased: Erased = { charges: 0, paymentLinks: 0, events: 0, answers: 0, payloads: 0 };
  for (let from = 0; from < found.chargeIds.length; from += PER_TRANSACTION) {
    const ids = found.chargeIds.slice(from, from + PER_TRANSACTION);
    const batch = await context.inTx((tx) => erasePayer(tx, tenantId, ids));
    for (const what of Object.keys(batch) as (keyof Erased)[]) erased[what] += batch[what];
  }
  const open = found.openChargeIds.length;
  return {
    object: {
      charges: erased.charges,
      payment_links: erased.paymentLinks,
      events: erased.events,
      remembered_answers: erased.answers,
      provider_payloads: erased.payloads,
      notifications,
      open_charges_left: open,
    },
    text: [
      `Erased: ${erased.charges} charges, ${erased.paymentLinks} payment links, ${erased.events} events, ${erased.answers} remembered answers, ${erased.payloads} payloads of providers, ${notifications} notifications.`,
      ...(open > 0 ? [`${open} charges can still be paid: repeat this when they have ended.`] : []),
      'Copies elsewhere are not reached: the providers, the merchant and backups.',
    ].join('\n'),
  };
}

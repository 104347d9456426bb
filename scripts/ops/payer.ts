import type { Context } from '../../config/context.ts';
import {
  type Erased,
  erasePayer,
  findPayersPayments,
} from '../../domain/payments/commands/erase-payer.ts';
import { deleteCustomer, remakeCustomer } from '../../domain/payments/customer/store.ts';
import { eraseNotifications } from '../../domain/payments/notification/erase.ts';
import { actorOf, expectId, type OperatorCommand, type Printed, required } from './operate.ts';

const PER_TRANSACTION = 50;

export const erasePayerCommand: OperatorCommand = {
  name: 'erase <email>',
  description:
    'Removes the data of a payer of one tenant; amounts, statuses and references stay. ' +
    'Charges and links that can still be paid are left: repeat it when they have ended.',
  options: [required('--tenant <id>', 'the tenant whose payer it is')],
  run: (context, { tenant }: { tenant: string }, email) => erase(context, email, tenant),
};

async function erase(context: Context, email: string, tenantId: string): Promise<Printed> {
  expectId('ten', tenantId, 'tenant');
  const actor = await actorOf(context);
  await deleteCustomer(context.db, tenantId, email); // a charge that comes meanwhile makes its own
  const found = await findPayersPayments(
    { sql: context.db, now: context.clock() },
    tenantId,
    email,
  );
  // First what is found by the charges, which are found by the address: then it can be repeated.
  const notifications = await eraseNotifications(context.db, found);
  const erased: Erased = { charges: 0, paymentLinks: 0, events: 0, answers: 0, payloads: 0 };
  const { chargeIds, linkIds } = found;
  for (let from = 0; from < Math.max(chargeIds.length, linkIds.length); from += PER_TRANSACTION) {
    const part = (ids: readonly string[]) => ids.slice(from, from + PER_TRANSACTION);
    const ids = { actor, chargeIds: part(chargeIds), linkIds: part(linkIds) };
    const batch = await context.inTx((tx) => erasePayer(tx, tenantId, ids));
    for (const what of Object.keys(batch) as (keyof Erased)[]) erased[what] += batch[what];
  }
  await context.inTx((tx) => remakeCustomer(tx, tenantId, email));
  const open = found.openChargeIds.length;
  const openLinks = found.openLinkIds.length;
  return {
    object: {
      charges: erased.charges,
      payment_links: erased.paymentLinks,
      events: erased.events,
      remembered_answers: erased.answers,
      provider_payloads: erased.payloads,
      notifications,
      open_charges_left: open,
      open_payment_links_left: openLinks,
    },
    text: [
      `Erased: ${erased.charges} charges, ${erased.paymentLinks} payment links, ${erased.events} events, ${erased.answers} remembered answers, ${erased.payloads} payloads of providers, ${notifications} notifications.`,
      ...(open > 0 ? [`${open} charges can still be paid: repeat this when they have ended.`] : []),
      ...(openLinks > 0
        ? [`${openLinks} payment links can still be paid: the merchant can disable them first.`]
        : []),
      'Copies elsewhere are not reached: the providers, the merchant and backups.',
    ].join('\n'),
  };
}

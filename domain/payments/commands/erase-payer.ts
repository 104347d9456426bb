import { recordAudit } from '../../accounts/audit-log/record-change.ts';
import { erasePayerFromAnswers } from '../../accounts/idempotency/erase-payer.ts';
import { checkoutIdOf } from '../../shared/ids.ts';
import { changedFields, eraseColumns, withoutPayer } from '../../shared/payer-data.ts';
import type { Tx } from '../../shared/tx.ts';
import { erasePayerFromEvents } from '../../webhooks/event/erase-payer.ts';
import { mayBePaidRow } from '../charge/ending.ts';
import { type ChargeRow, checkoutView, transactionView } from '../charge/row.ts';
import { type DisputeRow, disputeView } from '../dispute/row.ts';
import { Attempt } from '../entities/attempt.ts';
import { Capture } from '../entities/capture.ts';
import { Charge } from '../entities/charge.ts';
import { Dispute } from '../entities/dispute.ts';
import { DisputeResponse } from '../entities/dispute-response.ts';
import { PaymentLink } from '../entities/payment-link.ts';
import { Refund } from '../entities/refund.ts';
import { Review } from '../entities/review.ts';
import { TimelineEntry } from '../entities/timeline.ts';
import { type PaymentLinkRow, paymentLinkView } from '../payment-link/row.ts';
import { type RefundRow, refundView } from '../refund/row.ts';

export interface Erased {
  charges: number;
  paymentLinks: number;
  events: number;
  answers: number;
  payloads: number;
}

/**
 * In both modes. What may be paid needs its payer until it has ended. The links are those that were
 * addressed to the payer; any that the charges belong to are erased with them.
 */
export async function findPayersPayments(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  tenantId: string,
  email: string,
) {
  const charges = await sql.query<{ id: string; is_open: boolean; connection_id: string }>(
    `select id, ${mayBePaidRow('charges', '$3')} as is_open, connection_id from charges
     where tenant_id = $1 and mode = any(array['live', 'test']) and lower(email) = lower($2)
     order by id`,
    [tenantId, email, now],
  );
  const chargeIds = charges.filter((charge) => !charge.is_open).map(({ id }) => id);
  const attempts = await sql.query<{ reference: string; connection_id: string }>(
    'select reference, connection_id from attempts where charge_id = any($1)',
    [chargeIds],
  );
  const captures = await sql.query<{ provider_payment_id: string }>(
    'select provider_payment_id from captures where charge_id = any($1)',
    [chargeIds],
  );
  const links = await sql.query<{ id: string; is_open: boolean }>(
    `select id, status = 'active' as is_open from payment_links l
     where tenant_id = $1 and mode = any(array['live', 'test'])
       and lower(customer_email) = lower($2)
       and (status = 'active'
         or not exists (select from charges where payment_link_id = l.id and id = any($3)))
     order by id`,
    [tenantId, email, chargeIds],
  );
  return {
    chargeIds,
    linkIds: links.filter((link) => !link.is_open).map(({ id }) => id),
    openLinkIds: links.filter((link) => link.is_open).map(({ id }) => id),
    openChargeIds: charges.filter((charge) => charge.is_open).map(({ id }) => id),
    connectionIds: [...new Set([...charges, ...attempts].map((row) => row.connection_id))],
    references: attempts.map(({ reference }) => reference),
    providerPaymentIds: captures.map((capture) => capture.provider_payment_id),
  };
}

/** Evidence is deleted. */
const ofCharges = [Attempt, Capture, Dispute, DisputeResponse, Refund, Review, TimelineEntry];

interface ErasedPayments {
  /** The operator, for the audit log. */
  actor: string;
  chargeIds?: string[];
  linkIds?: string[];
}

/**
 * Removes who paid, as the marks in the entities say, wherever it is shown, and what providers
 * sent. Amounts, statuses, references and the timeline stay. The audit log does not say whose data
 * it was.
 */
export async function erasePayer(
  tx: Tx,
  tenantId: string,
  { actor, chargeIds = [], linkIds: ownLinkIds = [] }: ErasedPayments,
): Promise<Erased> {
  const { sql } = tx;
  const charges = await sql.query<ChargeRow>(
    `select * from charges where id = any($1) and tenant_id = $2
       and mode = any(array['live', 'test']) and not ${mayBePaidRow('charges', '$3')}
     order by id for update`,
    [chargeIds, tenantId, tx.now],
  );
  const ids = charges.map(({ id }) => id);
  const links = await sql.query<PaymentLinkRow>(
    `select * from payment_links where id = any($1) and tenant_id = $2
       and mode = any(array['live', 'test']) and status <> 'active'
     order by id for update`,
    [[...charges.flatMap(({ payment_link_id: linkId }) => linkId ?? []), ...ownLinkIds], tenantId],
  );
  const refunds = await sql.query<RefundRow>(
    `select refunds.*, charges.number, charges.currency
     from refunds join charges on charges.id = refunds.charge_id
     where charge_id = any($1) order by refunds.id for update of refunds`,
    [ids],
  );
  const disputes = await sql.query<DisputeRow>(
    'select * from disputes where charge_id = any($1) order by id',
    [ids],
  );
  const shown = [
    ...charges.map((row) => shownCharge(row)),
    ...links.map((row) => shownLink(row, tx.now)),
    ...refunds.map((row) => shownRefund(row)),
    ...disputes.map((row) => shownDispute(row)),
  ];
  await eraseColumns(sql, Charge, 'id', ids);
  const linkIds = links.map(({ id }) => id);
  await eraseColumns(sql, PaymentLink, 'id', linkIds);
  for (const entity of ofCharges) await eraseColumns(sql, entity, 'charge_id', ids);
  const payloads = await sql.query('delete from evidence where charge_id = any($1) returning 1', [
    ids,
  ]);
  const erased = { events: 0, answers: 0 };
  for (const { id, answerId, tenantId, createdAt, inEvents, inAnswers } of shown) {
    erased.events += await erasePayerFromEvents(sql, id, inEvents);
    const answered = { tenantId, id: answerId, createdAt };
    erased.answers += await erasePayerFromAnswers(sql, answered, inAnswers);
  }
  for (const subjectId of [...ids, ...linkIds.filter((id) => ownLinkIds.includes(id))])
    await recordAudit(tx, {
      tenantId,
      mode: null,
      actor,
      action: 'payer.erased',
      subjectId,
    });
  return {
    charges: ids.length,
    paymentLinks: links.length,
    payloads: payloads.length,
    ...erased,
  };
}

interface Shown {
  id: string;
  answerId: string;
  tenantId: string;
  createdAt: Date;
  inEvents: Record<string, unknown>;
  inAnswers: Record<string, unknown>;
}

function shownCharge(charge: ChargeRow): Shown {
  const erased = withoutPayer(Charge, charge);
  const asked = (row: ChargeRow) => {
    const state = { reference: '', status: 'open', provider: row.slot, transaction: null } as const;
    return checkoutView(row, state, '');
  };
  return {
    ...shownAnywhere(charge, checkoutIdOf(charge.id)),
    inEvents: changedFields(transactionView(charge), transactionView(erased)),
    inAnswers: changedFields(asked(charge), asked(erased)),
  };
}

function shownLink(link: PaymentLinkRow, now: Date): Shown {
  const erased = withoutPayer(PaymentLink, link);
  const fields = changedFields(paymentLinkView(link, '', now), paymentLinkView(erased, '', now));
  return { ...shownAnywhere(link, link.id), inEvents: fields, inAnswers: fields };
}

function shownRefund(refund: RefundRow): Shown {
  const fields = changedFields(refundView(refund), refundView(withoutPayer(Refund, refund)));
  return { ...shownAnywhere(refund, refund.id), inEvents: fields, inAnswers: fields };
}

function shownDispute(dispute: DisputeRow): Shown {
  const row = { ...dispute, created_at: dispute.opened_at };
  const erased = withoutPayer(Dispute, dispute);
  const inEvents = changedFields(disputeView(dispute, 0), disputeView(erased, 0));
  return { ...shownAnywhere(row, dispute.id), inEvents, inAnswers: {} };
}

function shownAnywhere(row: { id: string; tenant_id: string; created_at: Date }, answerId: string) {
  return { id: row.id, answerId, tenantId: row.tenant_id, createdAt: row.created_at };
}

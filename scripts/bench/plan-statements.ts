import { listAuditEntries } from '../../domain/accounts/audit-log/list-entries.ts';
import { ensureConnectionTasks } from '../../domain/accounts/connection/tasks.ts';
import { recall } from '../../domain/accounts/idempotency/remembered.ts';
import { listRequests } from '../../domain/accounts/request-log/store.ts';
import { accountsRetention } from '../../domain/accounts/retention.ts';
import { type DueRow, queues, type RowQueue } from '../../domain/jobs.ts';
import { mailRetention } from '../../domain/mail/retention.ts';
import { claimUnasked } from '../../domain/payments/attempt/claim-unasked.ts';
import { endedCharges, FIRST_END } from '../../domain/payments/attempt/ended-charges.ts';
import { arePaymentsLikely, findWatched } from '../../domain/payments/attempt/watched.ts';
import { findUnplanned } from '../../domain/payments/capture/settle.ts';
import { ANY_TIME, type ChargeFilter } from '../../domain/payments/charge/filter.ts';
import {
  findByMerchantReference,
  findByNumber,
  timelineOf,
} from '../../domain/payments/charge/find.ts';
import { listCharges, totalOfCharges } from '../../domain/payments/charge/list.ts';
import { lockCharge } from '../../domain/payments/charge/store.ts';
import { detailsOf } from '../../domain/payments/charge-details.ts';
import { openDisputes } from '../../domain/payments/dispute/find.ts';
import { listDisputes } from '../../domain/payments/dispute/list.ts';
import { lockWithAttempts } from '../../domain/payments/facts/locked-charge.ts';
import { needsOf } from '../../domain/payments/figures/needs.ts';
import { figuresBetween, foldFigures } from '../../domain/payments/figures/store.ts';
import { expireLinks } from '../../domain/payments/payment-link/expire-links.ts';
import { listLinks } from '../../domain/payments/payment-link/find.ts';
import { listRefunds } from '../../domain/payments/refund/find.ts';
import { findUnrecorded } from '../../domain/payments/refund-listing/unrecorded.ts';
import { paymentsRetention } from '../../domain/payments/retention.ts';
import { listReviews } from '../../domain/payments/review/find.ts';
import { connectionTasks } from '../../domain/providers/registry.ts';
import { countOpen } from '../../domain/settlements/discrepancy/count-open.ts';
import { listDiscrepancies } from '../../domain/settlements/discrepancy/list.ts';
import { chargesOfSettlement, listSettlements } from '../../domain/settlements/settlement/find.ts';
import { findMissing } from '../../domain/settlements/settlement/find-missing.ts';
import { forecast } from '../../domain/settlements/settlement/forecast.ts';
import type { SettlementRow } from '../../domain/settlements/settlement/row.ts';
import { findDueGroups, oldestDueMs } from '../../domain/shared/due-groups.ts';
import { claimRows, settleRows } from '../../domain/shared/due-rows.ts';
import { newId } from '../../domain/shared/ids.ts';
import { deleteOldRows } from '../../domain/shared/retention.ts';
import type { Database, Sql, Writer } from '../../domain/shared/sql.ts';
import { type Tx, txOf } from '../../domain/shared/tx.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { openVault } from '../../domain/shared/vault.ts';
import { collectWrites } from '../../domain/shared/writes.ts';
import { listDeliveries } from '../../domain/webhooks/delivery/delivery.ts';
import { deliveryFigures } from '../../domain/webhooks/delivery/figures.ts';
import { deliveriesOfSubjects } from '../../domain/webhooks/delivery/of-subject.ts';
import { SELECT_DELIVERIES_TO_SEND } from '../../domain/webhooks/delivery/to-send.ts';
import { disableEndpoint } from '../../domain/webhooks/endpoint/disable.ts';
import { countPending } from '../../domain/webhooks/endpoint/find.ts';
import type { EndpointRow } from '../../domain/webhooks/endpoint/secrets.ts';
import { BEGINNING, readFeed } from '../../domain/webhooks/event/feed.ts';
import { publishEvent } from '../../domain/webhooks/event/publish.ts';
import { idsOfTenant, type PlanSize } from './plan-rows.ts';

/** What is explained: a function of the service, with the values of the tenant that has most. */
export type Statement = (db: Database) => Promise<unknown>;

const vault = openVault([{ id: 'bench', key: Buffer.alloc(32, 7) }]);
const page = { before: '~', limit: 26 };
const firstPage = { before: '~', most: 26 };
const anyTime = { occurred: ANY_TIME } satisfies ChargeFilter;

/** Every query of views and workers that reads a table that grows. */
export async function statementsOf(
  sql: Sql,
  { tenants, end }: PlanSize,
): Promise<Record<string, Statement>> {
  const given = { ...(await givenOf(sql, tenants)), now: end };
  return { ...viewsOf(given), ...workersOf(given), ...(await queuesOf(sql, given)) };
}

type Given = Awaited<ReturnType<typeof givenOf>> & { now: Date };

async function givenOf(sql: Sql, tenants: number) {
  const own = idsOfTenant(Math.floor(tenants / 2));
  const [charge] = await sql.query<{ number: number; reference: string; id: string; of: string }>(
    `select c.id, number, merchant_reference as reference, a.id as of
     from charges c join attempts a on a.charge_id = c.id
     where tenant_id = $1 and c.status = 'settled' order by c.id desc limit 1`,
    [own.tenantId],
  );
  const { id: chargeId, of: attemptId, number, reference } = charge!;
  return { ...own, chargeId, attemptId, number, reference };
}

function viewsOf(given: Given): Record<string, Statement> {
  const { tenantId, connectionId, endpointId, chargeId, number, reference, now } = given;
  const own = { tenantId, mode: 'live' } as const;
  const ledger = (filter: ChargeFilter) => (db: Database) =>
    listCharges(db, own, filter, firstPage);
  const total = (filter: ChargeFilter) => (db: Database) => totalOfCharges(db, own, filter, 10_000);
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const today = { start: midnight, end: null };
  const days = { from: undefined, to: undefined };
  const none = { status: undefined, kind: undefined, slot: undefined, settlementId: undefined };
  return {
    ledger: ledger(anyTime),
    'ledger from midnight': ledger({ occurred: today }),
    'ledger of a day': ledger({
      occurred: { start: new Date(midnight.getTime() - DAY_MS), end: midnight },
    }),
    'ledger of disputed charges': ledger({ ...anyTime, status: ['disputed'] }),
    'ledger of disputed charges from midnight': ledger({ occurred: today, status: ['disputed'] }),
    'ledger of a customer': ledger({ ...anyTime, email: 'customer-7@mail.example' }),
    'ledger of nobody from midnight': ledger({ occurred: today, email: 'nobody@mail.example' }),
    'ledger of an amount': ledger({ ...anyTime, amountKobo: 500_000 }),
    'ledger of a provider’s reference': ledger({ ...anyTime, providerReference: 'T7' }),
    'total of the ledger': total(anyTime),
    'total of an amount from midnight': total({ occurred: today, amountKobo: 500_000 }),
    'charge by number': (db) => findByNumber(db, own, number),
    'charge by merchant reference': (db) => findByMerchantReference(db, own, reference),
    'timeline of a charge': (db) => timelineOf(db, chargeId, { after: 0, most: 26 }),
    'details of a charge': (db) => detailsOf(db, chargeId),
    'deliveries of a charge': (db) => deliveriesOfSubjects(db, own, [chargeId]),
    refunds: (db) => listRefunds(db, own, { status: undefined, chargeNumber: undefined, ...page }),
    'requested refunds': (db) =>
      listRefunds(db, own, { status: 'requested', chargeNumber: undefined, ...page }),
    'payment links': (db) => listLinks(db, own, { status: undefined, ...page, now }),
    'active payment links': (db) => listLinks(db, own, { status: 'active', ...page, now }),
    settlements: (db) =>
      listSettlements(db, own, { status: undefined, slot: undefined, expected: days, ...page }),
    'charges of a forecast': (db) =>
      chargesOfSettlement(db, own, expectedOn(connectionId, now), page),
    discrepancies: (db) => listDiscrepancies(db, own, { ...none, days, ...page }),
    'open discrepancies': (db) =>
      listDiscrepancies(db, own, { ...none, status: 'open', days, ...page }),
    'open discrepancies, counted': (db) => countOpen(db, own, 100),
    reviews: (db) => listReviews(db, own, { isOpen: undefined, reason: undefined, ...page }),
    'open reviews': (db) => listReviews(db, own, { isOpen: true, reason: undefined, ...page }),
    disputes: (db) => listDisputes(db, own, page),
    'disputes of a charge': (db) => listDisputes(db, own, { ...page, chargeNumber: number }),
    'what needs a person': (db) => needsOf(db, own),
    'figures of thirty days': (db) =>
      figuresBetween(db, own, dayOf(now.getTime() - 30 * DAY_MS), dayOf(now.getTime())),
    deliveries: (db) => listDeliveries(db, own, { ...anyDelivery, ...page }),
    'exhausted deliveries of an endpoint': (db) =>
      listDeliveries(db, own, { ...anyDelivery, endpointId, status: 'exhausted', ...page }),
    'pending deliveries, counted': (db) => countPending(db, { id: endpointId } as EndpointRow),
    'audit log': (db) => listAuditEntries(db, own, page),
    'request log': (db) => listRequests(db, own, { isRefused: false, ...page }),
    'refused requests': (db) => listRequests(db, own, { isRefused: true, ...page }),
    'events from the beginning': (db) => readFeed(db, own, BEGINNING, 100),
    'events from the end': (db) =>
      readFeed(db, own, { xact: Number.MAX_SAFE_INTEGER, id: '~' }, 100),
    'idempotency key': (sql) =>
      recall(
        { sql, vault, now },
        { ...own, scope: 'secret POST /charges', key: '7', bodySha256: '7' },
      ),
    'figures of /metrics': (db) => deliveryFigures(db, new Date(now.getTime() - 300_000), now),
    'oldest due rows for /metrics': (db) => oldestDueMs(db, now),
  };
}

function expectedOn(connectionId: string, now: Date): SettlementRow {
  const day = dayOf(now.getTime() + DAY_MS);
  return { connection_id: connectionId, expected_date: day, step: 'forecast' } as SettlementRow;
}

const anyDelivery = { endpointId: undefined, eventId: undefined, status: undefined };

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function workersOf(given: Given): Record<string, Statement> {
  const { tenantId, connectionId, endpointId, now, chargeId, attemptId } = given;
  const account = {
    ...({ id: connectionId, tenant_id: tenantId, mode: 'live' } as const),
    ...({ slot: 'provider_a', adapter: 'paystack', sandbox: false } as const),
  };
  const txOn = (writer: Writer): Tx => txOf({ ...writer, em: undefined as never }, vault, now);
  const tx = (db: Database): Tx => txOn(collectWrites(db));
  const retention = [...accountsRetention, ...mailRetention, ...paymentsRetention];
  return {
    'lock a charge': (db) => lockCharge({ sql: db }, chargeId),
    'an attempt to record a fact about': (db) =>
      lockWithAttempts(tx(db), { attemptId, paymentIds: ['7'] }),
    'an attempt to check': (db) => findWatched(db, attemptId),
    'attempts to ask about': (db) => claimUnasked(db, chargeId, now),
    'whether a payment is likely': (db) => arePaymentsLikely({ sql: db, now }, [account]),
    'charges to expire': (db) => endedCharges({ sql: db, now }, 'expires_at', FIRST_END, 2_000),
    'links to expire': (db) => expireLinks({ sql: db, now }, 5_000),
    'figures to add up': (db) => foldFigures(db),
    'missing connection tasks': (db) =>
      ensureConnectionTasks({ sql: db, now }, connectionTasks(), 1_000),
    ...Object.fromEntries(
      retention.map((kept) => [
        `old rows of ${kept.name ?? kept.table}`,
        (db: Database) =>
          deleteOldRows({ sql: db, now: new Date(now.getTime() + DAY_MS) }, kept, 5_000),
      ]),
    ),
    'payments without a day of settlement': (db) => findUnplanned(db, connectionId, 1_000),
    'forecast of payouts': (db) => forecast(tx(db), account),
    'missing payments': (db) => findMissing(tx(db), account, true),
    'listed refunds that are not on record': (db) =>
      findUnrecorded({ sql: db, now }, connectionId, 10),
    'open disputes of a connection': (db) =>
      openDisputes({ sql: db, now }, { connectionId, listed: [], since: now, limit: 10 }),
    'publish an event': async (db) => {
      const writer = collectWrites(db);
      const event = { tenantId, mode: 'live', type: 'charge.succeeded', data: {} } as const;
      await publishEvent(txOn(writer), { ...event, subjectId: newId('txn', now) });
      await writer.flush();
    },
    'disable an endpoint': (db) => disableEndpoint(txOn(collectWrites(db)), endpointId, 'by_hand'),
  };
}

async function queuesOf(sql: Sql, { now }: Given): Promise<Record<string, Statement>> {
  const statements: Record<string, Statement> = {};
  for (const queue of Object.keys(queues) as RowQueue[]) {
    const { table, where, group } = queues[queue];
    const due = await sql.query<DueRow & { group: string }>(
      `select id, tries, ${group} as "group" from ${table}
       where due_at <= $1 and ${where} order by due_at limit 20`,
      [now],
    );
    const limit = 1_000;
    const select = queue === 'webhook-deliver' ? SELECT_DELIVERIES_TO_SEND : undefined;
    const wanted = due.slice(0, 1).map((row) => ({ group: row.group, count: 10 }));
    const settled = due.map(({ id, tries }) => ({ id, tries, dueAt: now, isSnoozed: true }));
    statements[`${queue}: claim 10`] = (db) => claimRows(db, queue, wanted, now, select);
    statements[`${queue}: settle 20`] = (db) => settleRows(db, queue, settled);
    statements[`${queue}: due groups`] = (db) => findDueGroups(db, [queue], now, { limit });
    statements[`${queue}: more due groups`] = (db) =>
      findDueGroups(db, [queue], now, { after: '', limit });
  }
  return statements;
}

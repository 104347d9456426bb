import type { EntitySchema } from '@mikro-orm/core';
import { entities } from '../../domain/entities.ts';

export interface Table {
  columns: ReadonlySet<string>;
  /** Columns of which each leads to rows of one tenant and mode. */
  keys: readonly string[];
  /** Columns whose value only the holder of a row knows. */
  secrets: readonly string[];
}

export type Tables = ReadonlyMap<string, Table>;

/**
 * Columns that refer to a row of one tenant and mode, in whichever table: a row that has one is of
 * the same tenant and mode. Tables without a tenant and a mode of their own are reached by these.
 */
export const references = [
  'connection_id', // attempts, captures, connection_tasks, notifications, settlement_lines, …
  'charge_id', // attempts, captures, evidence, refunds, timeline_entries, …
  'attempt_id',
  'capture_id', // refunds, disputes, reviews
  'payment_link_id',
  'subject_id', // events, by the charge, refund or dispute they are about
  'refund_id',
  'dispute_id',
  'settlement_id', // settlement_lines, settlement_deductions, discrepancies
  'line_id',
  'source', // postings, by the capture, refund, dispute or settlement that moved the money
  'endpoint_id', // deliveries, delivery_tries
  'event_id',
  'delivery_id',
  'member_id', // member_links, recovery_codes, token_families
  'family_id', // user_tokens, dashboard_sessions
];

/** Unique columns by which others name rows: providers a payment, merchants a charge. */
const namedByOthers = ['reference', 'number'];

const ofNobody = ['event_feed', 'snapshot_position'];

export const tables: Tables = new Map(
  (entities as readonly EntitySchema<any>[])
    .map(({ meta }) => meta)
    .filter(({ tableName }) => !ofNobody.includes(tableName))
    .map(({ tableName, properties }) => [tableName, tableOf(properties)]),
);

type Properties = Readonly<Record<string, { primary?: boolean; unique?: boolean | string }>>;

function tableOf(properties: Properties): Table {
  const columns = Object.keys(properties);
  const primary = columns.filter((column) => properties[column]!.primary);
  const unique = columns.filter((column) => properties[column]!.unique);
  const alone = [...(primary.length === 1 ? primary : []), ...unique];
  const isSecret = (column: string) => column === 'sha256';
  return {
    columns: new Set(columns),
    keys: [
      'ctid',
      ...columns.filter((column) => references.includes(column)),
      ...alone.filter((column) => !namedByOthers.includes(column)),
    ],
    secrets: alone.filter(isSecret),
  };
}

/** The tables, as `unboundTables` names them, that the statements of a file leave open. */
type Exempt = Readonly<Record<string, readonly string[] | typeof ALL>>;

export const ALL = 'all';

/**
 * Why statements go across tenants or modes, and those that do, by the file of the function that
 * waits for them. All else that the service runs is about rows of one tenant and mode.
 */
export const exemptions: Readonly<Record<string, Exempt>> = {
  'They go through whole tables, whoever owns the rows.': {
    'domain/shared/due-groups.ts': ALL,
    'domain/shared/failing-rows.ts': ALL,
    'domain/shared/partitions.ts': ALL,
    'domain/shared/retention.ts': ALL,
    'domain/shared/sealed-columns.ts': ALL,
  },
  'Housekeeping changes what is due, whoever owns it.': {
    'domain/accounts/connection/tasks.ts': ['connections c'],
    'domain/accounts/idempotency/remembered.ts': ['idempotency_keys'],
    'domain/accounts/token/refresh.ts': ['user_tokens'],
    'domain/journal/snapshots.ts': ['postings'],
    'domain/payments/attempt/ended-charges.ts': ['charges'],
    'domain/payments/figures/store.ts': ['figure_changes'],
    'domain/payments/payment-link/expire-links.ts': ['payment_links'],
  },
  'Metrics count the rows of all tenants.': {
    'domain/attention.ts': [
      ...['connections', 'discrepancies', 'disputes', 'refunds', 'reviews', 'webhook_endpoints'],
    ],
    'domain/mail/figures.ts': ['mails'],
    'domain/settlements/discrepancy/count-open.ts': ['discrepancies'],
    'domain/webhooks/delivery/figures.ts': ['deliveries', 'delivery_tries'],
    'domain/webhooks/event/feed.ts': ['tenants'],
  },
  'Operators run them, who look after all tenants.': {
    'domain/accounts/connection/connection.ts': ['connections c', 'tenants t'],
    'domain/accounts/tenant/business.ts': ['tenants'],
    'domain/payments/charge/store.ts': ['charges'],
    'domain/payments/notification/erase.ts': ['notifications'],
    'domain/payments/review/find.ts': ['reviews r', 'charges c', 'captures k', 'attempts a'],
    'domain/settlements/discrepancy/find.ts': ['discrepancies d', 'settlement_lines l'],
  },
  'Mails of both modes of a business share its turns.': {
    'domain/shared/due-rows.ts': ['mails without mode'],
  },
  'A person signs in to whichever businesses have the e-mail address and the password.': {
    'domain/accounts/member/member-links.ts': ['members'],
    'domain/accounts/member/member-passwords.ts': ['members'],
  },
  'The address of a picture is the hash of the picture.': {
    'domain/accounts/tenant/logo.ts': ['tenant_logos'],
  },
  'Who has the address of a payment link may pay it.': {
    'domain/payments/charge/create.ts': ['payment_links without tenant_id'],
    'domain/payments/charge/insert.ts': ['payment_links without tenant_id'],
  },
  'It asks whether a reference is another connection’s, and reads nothing else of that.': {
    'domain/settlements/settlement/match-lines.ts': ['attempts o'],
  },
};

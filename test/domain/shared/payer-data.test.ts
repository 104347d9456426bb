import { expect } from 'chai';
import { entities } from '../../../domain/entities.ts';
import { changedFields, payerColumns, replaceFields } from '../../../domain/shared/payer-data.ts';

/**
 * Every column with a text or a day that tells nobody who a payer is. Whoever adds a column marks
 * it with `ofPayer`, or writes it down here. Left out: ids and hashes (`ascii`), lists of values,
 * numbers and times.
 */
const notOfPayers: Record<string, readonly string[]> = {
  tenants: ['name', 'time_zone', 'support_email', 'support_phone'],
  former_time_zones: ['time_zone'],
  tenant_logos: ['png'],
  members: ['email', 'name', 'password_hash', 'totp_secret'],
  user_tokens: ['exchanged_for'],
  dashboard_sessions: ['user_agent', 'network'],
  mails: ['token', 'last_error'],
  api_keys: ['name', 'public_key', 'last4', 'allowed_origins', 'description'],
  credentials: ['mode', 'role', 'allowed_origins', 'description'],
  connections: ['adapter', 'credentials', 'calls_paused'],
  connection_tasks: ['last_error', 'progress'],
  idempotency_keys: ['mode', 'scope', 'key', 'body_sha256'],
  audit_entries: ['mode', 'actor', 'action', 'subject_id', 'detail'],
  request_log: ['mode', 'method', 'path', 'error', 'body', 'answer'],
  webhook_endpoints: ['url', 'event_types', 'secret', 'old_secrets'],
  // References of the merchant and of providers stay, and so do sentences about amounts.
  charges: [
    ...['mode', 'merchant_reference', 'currency', 'opener_origin', 'provider_wanted', 'slot'],
    ...['channel', 'provider_reference', 'failure_message', 'failure_cause', 'review'],
    'test_scenario',
  ],
  customer_words: ['mode'],
  attempts: ['slot', 'url', 'last_error'],
  captures: ['provider_payment_id', 'currency', 'channel', 'settles_on'],
  planned_days: ['day'],
  planned_day_changes: ['day'],
  timeline_entries: ['what', 'detail', 'evidence_sha256'],
  evidence: ['sha256'],
  payment_links: ['mode', 'provider_wanted', 'created_by'],
  account_codes: ['account', 'code'],
  postings: ['mode', 'debit', 'credit', 'type'],
  balance_snapshots: ['type', 'debit', 'credit'],
  daily_figures: ['mode', 'day', 'slot', 'channel'],
  figure_changes: ['mode', 'slot', 'channel'],
  notifications: ['body_sha256', 'event', 'payment_references', 'payment_ids', 'last_error'],
  refunds: [
    ...['mode', 'requested_by', 'first_approved_by', 'decided_by', 'attention', 'failure_message'],
    ...['provider_reference', 'provider_refund_id', 'last_error'],
  ],
  listed_refunds: ['provider_payment_id', 'provider_refund_id'],
  disputes: ['mode', 'provider_dispute_id'],
  dispute_responses: ['mode', 'requested_by', 'failure_message', 'last_error'],
  reviews: ['mode', 'reason', 'detail', 'first_approved_by', 'decided_by'],
  events: ['mode', 'type'],
  deliveries: ['mode', 'last_error'],
  delivery_tries: ['error'],
  settlements: [
    ...['mode', 'slot', 'provider_settlement_id', 'expected_date'],
    ...['bank_name', 'bank_account_last4', 'lines_cursor', 'unreadable_reason'],
  ],
  settlement_lines: ['provider_payment_id', 'reference', 'unclear'],
  discrepancies: [
    ...['mode', 'slot', 'kind', 'subject', 'reference', 'detail', 'day'],
    ...['closed_by', 'close_reason'],
  ],
};

interface Property {
  type?: { name?: string };
  enum?: boolean;
  kind?: string;
  collation?: string;
}

const namesNobody = new Set(['IntegerType', 'SmallIntType', 'BooleanType', 'DateTimeType']);

function columnsOf(properties: Record<string, Property>): string[] {
  return Object.entries(properties).flatMap(([column, { type, kind, collation, ...property }]) => {
    const name = type?.name ?? type?.constructor.name ?? '';
    const tellsNothing = property.enum || kind || collation === 'C' || namesNobody.has(name);
    return tellsNothing || name === 'BigIntType' ? [] : [column];
  });
}

describe('The columns that may tell who a payer is', () => {
  it('are marked, and every other column is known to tell nobody', () => {
    const unmarked = entities.flatMap((entity) => {
      const { tableName, properties } = entity.meta;
      const marked = payerColumns(entity);
      const columns = columnsOf(properties as Record<string, Property>);
      return columns.flatMap((column) => (column in marked ? [] : [`${tableName}.${column}`]));
    });
    const known = Object.entries(notOfPayers).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect(unmarked.sort()).to.deep.equal(known.sort());
  });
});

/** The tables that erasing reaches; a mark in another one needs its way there. */
const reached = [
  ...['attempts', 'captures', 'charges', 'disputes', 'payment_links', 'refunds', 'reviews'],
  ...['delivery_tries', 'events', 'evidence', 'idempotency_keys', 'notifications'],
  ...['dispute_responses', 'timeline_entries', 'customer_words'],
];

describe('The tables with marked columns', () => {
  it('are all reached when a payer is erased', () => {
    const marked = entities.filter((entity) => Object.keys(payerColumns(entity)).length > 0);
    expect(reached).to.include.members(marked.map(({ meta }) => meta.tableName));
  });
});

describe('Fields that show marked columns', () => {
  const before = { id: 'a', customer: { email: 'x', name: 'y' }, metadata: {}, amount: 1 };
  const after = { ...before, customer: { email: 'erased', name: null } };

  it('are those that change with them', () => {
    expect(changedFields(before, after)).to.deep.equal({
      customer: { email: 'erased', name: null },
    });
    expect(changedFields(before, { ...before })).to.deep.equal({});
  });

  it('are replaced where an object has them, in its order, and added nowhere', () => {
    const shown = { customer: { email: 'x', phone: '1' }, amount: 2 };
    const replaced = replaceFields(shown, { ...changedFields(before, after), note: null });
    expect(JSON.stringify(replaced)).to.equal(
      '{"customer":{"email":"erased","name":null},"amount":2}',
    );
  });
});

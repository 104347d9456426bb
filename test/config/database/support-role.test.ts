import { expect } from 'chai';
import { supportColumns } from '../../../config/database/support-role.ts';

/** Words of columns that name a person, open something or are what somebody sent. */
const TELLING =
  /email|phone|name|description|metadata|hash|sha256|secret|token|password|credential|key|url|body|answer|payload|content|file/;

/** Columns with such a word that tell nothing. */
const harmless = [
  ...['tenants.name', 'connections.credentials_refused_at'],
  ...['request_log.credential_id', 'dispute_responses.file_type'],
];

describe('The role of support', () => {
  it('reads no column that names a payer, opens something, or was sent by somebody', () => {
    const read = Object.entries(supportColumns()).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect(read.filter((column) => TELLING.test(column.split('.')[1]!))).to.have.members(harmless);
  });

  it('reads what shows where a payment is, and nothing of what lets somebody in', () => {
    const read = supportColumns();
    expect(read.charges).to.include.members(['number', 'status', 'amount_kobo', 'connection_id']);
    expect(read).to.include.keys('attempts', 'captures', 'refunds', 'deliveries', 'notifications');
    expect(read).not.to.have.any.keys(
      ...['credentials', 'dashboard_sessions', 'idempotency_keys', 'recovery_codes'],
      ...['member_links', 'token_families', 'user_tokens', 'evidence', 'customer_words'],
    );
  });
});

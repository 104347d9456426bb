import { expect } from 'chai';
import { formats } from '../../api/http/formats.ts';
import type { JsonSchema } from '../../api/http/schema.ts';
import { queryCheckerOf } from '../../api/http/validation.ts';
import { routes } from '../../api/routes.ts';
import { accounts } from '../../domain/journal/entities/posting.ts';
import { namedBy } from '../support/input.ts';
import { nameOf } from '../support/route-calls.ts';

const SLOTS = 'provider_a|provider_b|provider_c';
const PAYMENT = 'integer 10000..100000000000';
const TYPES = [
  ...['charge.succeeded', 'refund.completed', 'charge.failed', 'charge.disputed'],
  ...['refund.requested', 'refund.approved', 'refund.rejected', 'refund.failed', 'dispute.closed'],
  ...['settlement.landed', 'discrepancy.opened'],
].join('|');
const DAYS = { from: 'date', to: 'date' };
const NAME = 'text 1..100';
const SENTENCE = 'text 1..500';
const ROLES = 'owner|developer|finance|support|viewer';

/**
 * The limits of every field a caller may send, as they are promised; `!`: it is required. That each
 * limit refuses what is beyond it, for every field: test/api/bad-input.test.ts.
 */
const limits: Record<string, Record<string, string>> = {
  'POST /charges': {
    ...{ 'amount_kobo!': PAYMENT, 'email!': 'email 1..254', name: NAME, phone: 'phone 1..40' },
    ...{ reference: 'printable 1..100', description: SENTENCE, provider: `auto|${SLOTS}` },
    return_url: 'web-address 1..2048',
    metadata: 'at most 50 of text 0..500 or number or boolean or null',
  },
  'GET /charges': { 'merchant_reference!': 'printable 1..100' },
  'GET /transactions': {
    ...{ ...DAYS, provider: SLOTS, customer: 'email-or-phone 1..254' },
    status: '1..7 different of initiated|pending|succeeded|settled|failed|refunded|disputed',
    channel: '1..6 different of card|bank_transfer|ussd|qr|mobile_money|other',
    ...{ amount_kobo: 'integer 1..100000000000', merchant_reference: 'printable 1..100' },
    ...{ provider_reference: 'printable 1..200', settlement_id: 'id stl', payment_link: 'id lnk' },
  },
  'GET /settlements': { ...DAYS, status: 'expected|landed|short|failed', provider: SLOTS },
  'GET /discrepancies': {
    ...{ ...DAYS, status: 'open|resolved|closed', settlement: 'id stl', provider: SLOTS },
    kind: [
      'amount_mismatch|fee_mismatch|deduction_mismatch|missing|short|surplus|unreadable',
      'never_notified|unknown_at_provider|books',
    ].join('|'),
  },
  'POST /discrepancies/:id/close': { 'reason!': SENTENCE },
  'GET /balances': { at: 'instant 1..40' },
  'GET /balance-transactions': {
    ...{ ...DAYS, provider: SLOTS, source: 'id txn|ref|dsp|stl' },
    type: 'capture|imported|fee|refund|dispute|payout|other_business|difference|write_off',
  },
  'GET /statements/:month': { provider: SLOTS },
  'GET /events': { after: 'cursor 1..200' },
  'POST /refunds': {
    'reference!': 'service-reference 1..100',
    amount_kobo: 'integer 1..100000000000',
    'reason!': SENTENCE,
  },
  'GET /refunds': {
    status: 'requested|approved|processing|completed|failed|rejected|cancelled',
    reference: 'service-reference 1..100',
  },
  'POST /refunds/:id/reject': { 'reason!': SENTENCE },
  'GET /reviews': {
    status: 'open|closed',
    reason: [
      'underpaid|overpaid|extra_capture|capture_mismatch|unknown_status|link_paid_before|dispute',
      'refund_reversed',
    ].join('|'),
  },
  'POST /reviews/:id/accept': { note: SENTENCE },
  'POST /reviews/:id/return': { note: SENTENCE, paid_from: 'provider|bank' },
  'GET /disputes': { status: 'open|won|lost', reference: 'service-reference 1..100' },
  'POST /disputes/:id/evidence': {
    ...{ 'details!': 'not-blank 1..2000', customer_email: 'email 1..254', customer_name: NAME },
    ...{ customer_phone: 'phone 1..40', delivery_address: SENTENCE, delivery_date: 'date' },
    file: 'base64 1..2796204',
  },
  'POST /disputes/:id/accept': { 'note!': 'not-blank 1..500' },
  'POST /payment-links': {
    ...{ 'amount_kobo!': PAYMENT, 'description!': SENTENCE, provider: `auto|${SLOTS}` },
    ...{ customer: 'object', 'customer.name': NAME, 'customer.phone': 'phone 1..40' },
    'customer.email': 'email 1..254',
    expires_in_days: 'integer 1..90',
  },
  'GET /payment-links': { status: 'active|paid|expired|disabled' },
  'POST /api-keys': {
    ...{ 'kind!': 'secret|public', name: NAME, description: SENTENCE },
    allowed_origins: '1..20 of web-origin 1..300',
    ...{ min_amount_kobo: PAYMENT, max_amount_kobo: PAYMENT },
  },
  'PATCH /api-keys/:id': {
    ...{ name: NAME, description: `${SENTENCE} or null` },
    allowed_origins: '1..20 of web-origin 1..300 or null',
    ...{ min_amount_kobo: `${PAYMENT} or null`, max_amount_kobo: `${PAYMENT} or null` },
  },
  'POST /api-keys/:id/rotate': { overlap_hours: 'integer 0..168' },
  'POST /webhook-endpoints': {
    'url!': 'webhook-url 1..2048',
    event_types: `1..11 different of ${TYPES}`,
  },
  'PATCH /webhook-endpoints/:id': {
    ...{ url: 'webhook-url 1..2048', event_types: `1..11 different of ${TYPES}` },
    status: 'enabled|disabled',
  },
  'POST /webhook-endpoints/:id/resend': { 'since!': 'instant 0..40' },
  'GET /deliveries': {
    ...{ endpoint: 'id whe', event: 'id evt', status: 'pending|delivered|exhausted|cancelled' },
  },
  'POST /connections': {
    ...{ 'provider!': SLOTS, 'credentials!': 'at most 20 of text 1..500' },
    position: 'integer 1..100',
  },
  'PATCH /connections/:id': {
    ...{ credentials: 'at most 20 of text 1..500', status: 'enabled|disabled' },
    position: 'integer 1..100',
  },
  'POST /auth/token': {
    ...{ 'email!': 'email 1..254', 'password!': 'text 1..200', 'mode!': 'live|test' },
    ...{ tenant_id: 'text 1..40', code: 'text 1..40' },
  },
  'POST /auth/refresh': { 'refresh_token!': 'text 1..200' },
  'POST /auth/revoke': { 'refresh_token!': 'text 1..200' },
  'PATCH /business': {
    ...{ name: 'not-blank 1..100', time_zone: 'time-zone 1..64' },
    ...{ requires_second_factor: 'boolean', sends_receipts: 'boolean' },
    sends_payment_links: 'boolean',
    refunds_require_second_person: 'boolean',
    refunds_require_two_owners_above_kobo: 'integer 0..100000000000 or null',
    ...{ support_email: 'email 1..254 or null', support_phone: 'phone 1..40 or null' },
    account_codes: 'object',
    ...Object.fromEntries(
      accounts.map((account) => [`account_codes.${account}`, 'account-code 1..40 or null']),
    ),
  },
  'POST /members': { 'email!': 'email 1..254', name: NAME, 'role!': ROLES },
  'PATCH /members/:id': { name: NAME, role: ROLES, status: 'active|disabled' },
};

function limitOf(schema: Record<string, any>): string {
  const { enum: words, format, pattern, items, maxProperties } = schema;
  if (words) return words.join('|');
  const id = /^\^\(?([\w|]+)\)?_/.exec(pattern ?? '')?.[1];
  const [kind, ...more] = [schema.type].flat();
  const own = {
    integer: `integer ${schema.minimum}..${schema.maximum}`,
    string: id ? `id ${id}` : textOf(format, schema),
    array: `${schema.minItems}..${schema.maxItems} ${schema.uniqueItems ? 'different ' : ''}of`,
    object: maxProperties ? `at most ${maxProperties} of` : 'object',
    boolean: 'boolean',
  }[kind as string];
  const inner = items ?? schema.patternProperties?.['^'] ?? schema.additionalProperties;
  return [inner ? `${own} ${limitOf(inner)}` : own, ...more].join(' or ');
}

const textOf = (format: string, { minLength = 0, maxLength }: Record<string, any>) =>
  maxLength === undefined ? format : `${format} ${minLength}..${maxLength}`;

function limitsOf(schema: JsonSchema, inside = ''): Record<string, string> {
  const { properties = {}, required = [] } = schema as Record<string, any>;
  const fields = Object.entries<JsonSchema>(properties).flatMap(([name, field]) => [
    [`${inside}${name}${required.includes(name) ? '!' : ''}`, limitOf(field)],
    ...Object.entries(limitsOf(field, `${inside}${name}.`)),
  ]);
  return Object.fromEntries(fields);
}

describe('The limits of each field', () => {
  for (const route of routes)
    it(`of ${nameOf(route)}`, () => {
      const { limit, cursor, ...found } = limitsOf(route.body ?? route.query ?? {});
      expect(found).to.deep.equal(limits[nameOf(route)] ?? {});
      if (!('cursor' in ((route.query?.properties as object) ?? {}))) return;
      expect([limit, cursor]).to.deep.equal(['integer 1..100', 'cursor 1..200']);
    });

  it('of a query are those of one value: a repeated parameter is refused', () => {
    const route = routes.find((one) => nameOf(one) === 'GET /charges')!;
    const check = queryCheckerOf(route.query!);
    for (const value of [['a', 'b'], { $ne: 'a' }])
      expect(namedBy(check, { merchant_reference: value })).to.deep.equal(['merchant_reference']);
  });
});

describe('The format of a field', () => {
  const right: Record<string, string[]> = {
    text: ['ü', '“ä” 🎉\n'],
    'not-blank': [' a '],
    printable: ['order 1 & ä/?#', '🎉'],
    cursor: ['NzQx_2V-', 'evt_01k2v8n0d4e7g9h3j5m6p8q1rs'],
    phone: ['08031234567', '+234 803 123 4567', '0803-123-4567'],
    'email-or-phone': ['ada+shop@example.com', '+234 803 123 4567'],
    instant: ['2026-01-31T09:00:00Z', '2026-01-31T09:00Z', '2026-01-31T09:00:00.123+01:00'],
    'web-address': [
      ...['https://shop.example/done?order=1#top', 'https://münchen.example/'],
      ...['http://localhost:3000/', 'http://shop.localhost/', 'http://127.0.0.1:8080/'],
    ],
    'webhook-url': ['https://shop.example/hooks?a=1'],
    date: ['0001-01-01', '9999-12-31', '2028-02-29'],
    'service-reference': ['SV-1', 'SV-100001'],
  };
  const noText = ['a\0', 'a\ud800'];
  const wrong: Record<string, string[]> = {
    text: noText,
    'not-blank': [...noText, ' \n'],
    printable: [...noText, 'a\nb', 'a\tb', '\u200b', '\u202egnp', '\ufeff', 'a\u{e0041}'],
    cursor: ['', 'a b', 'a=', 'ä'],
    phone: [
      ...['0803123456\0', '123456', '1234567890123456', '08031234567x', '+', '0803+1234567'],
      ...['(0803) 123 4567', '٠٨٠٣١٢٣٤٥٦٧', '0803\n1234567'],
    ],
    'email-or-phone': ['ada', 'ada@', ' 2348031234567', 'a\0@b.example'],
    instant: ['2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', 'now'],
    'web-address': [
      ...['https://a.example/\0', 'https://a.example/\ud800', 'store.example/done', '/done'],
      ...['http://store.example/', 'http://localhost.store.example/', 'http://10.0.0.1/'],
      ...['http://[::1]/', 'ftp://store.example/', 'javascript:alert(1)', 'data:text/html,hello'],
      ...['https://user@store.example/', 'https://user:pass@store.example/', 'https://'],
      ...[' https://store.example/', 'https://store.example/a b', 'https://store\n.example/'],
    ],
    'webhook-url': [
      ...[...noText, 'store.example/hooks', 'ftp://store.example/', 'https://store.example/a b'],
      ...['https://store.example/\u200b', 'https://store.example/\u{e0041}'],
    ],
    date: [
      ...['2026-02-29', '2026-2-1', '0000-01-01', '2026-03-01T00:00:00Z', '20260301', 'today'],
      '2026-03-01T00:00:00.000+01:00',
    ],
    'service-reference': ['order-1', 'SV-0100001', 'SV-100001\n', 'SV-0', 'sv-1'],
  };

  for (const name of Object.keys(right))
    it(`${name} takes what it should and nothing else`, () => {
      for (const value of right[name]!) expect(formats[name]!.isValid(value), value).to.equal(true);
      for (const value of wrong[name]!)
        expect(formats[name]!.isValid(value), JSON.stringify(value)).to.equal(false);
    });
});

import { expect } from 'chai';
import type { Route } from '../../api/http/route.ts';
import { checkerOf, queryCheckerOf } from '../../api/http/validation.ts';
import { routes } from '../../api/routes.ts';
import { type Check, namedBy } from '../support/input.ts';
import { nameOf } from '../support/route-calls.ts';

/** A text of some length. */
const text = (length: number) => 'x'.repeat(length);
/** Invalid texts: empty, too long, with a NUL, with half a surrogate pair, no text at all. */
const noText = (longest: number) => [text(longest + 1), '', 'a\0b', 'a\ud800', 7, null, ['x']];

interface Limits {
  /** A valid body or query. */
  good: Record<string, unknown>;
  /** More valid values: the longest, the largest. */
  alsoGood?: Record<string, unknown>[];
  /** Values each field refuses; `undefined` leaves the field out. */
  refused: Record<string, readonly unknown[]>;
}

const amounts = [undefined, 9_999, 100_000_000_001, 10_000.5, '10000', null];
const emails = [undefined, 'ada', `${text(250)}@b.example`, 'a\0@b.example'];
const limits = ['0', '101', '2.5', 'ten', ''];
const ids = (prefix: string) => [`${prefix}_1`, `xxx_${'0'.repeat(26)}`, `${prefix}_`, ''];

/** `POST /charges`: test/api/charges/create-charge-input.test.ts. */
const bodies: Record<string, Limits> = {
  'POST /payment-links': {
    good: { amount_kobo: 10_000, description: 'Two bags of rice' },
    alsoGood: [
      { expires_in_days: 1, customer: {} },
      { expires_in_days: 90, description: text(500) },
    ],
    refused: {
      amount_kobo: amounts,
      description: [undefined, ...noText(500)],
      customer: ['Ada', null],
      expires_in_days: [0, 91, 0.5, '7'],
      provider: ['paystack', ''],
      email: ['ada@example.com'],
      status: ['paid'],
    },
  },
  'POST /refunds': {
    good: { reference: 'SV-100001', reason: 'Wrong size' },
    alsoGood: [{ reason: 'ü'.repeat(500), amount_kobo: 1 }],
    refused: {
      reference: [
        ...[undefined, 'order-1', 'txn_01h455vb4pex5vsknk084sn02q', 'SV-0100001'],
        ...['SV-100001\n', 100_001, ''],
      ],
      amount_kobo: [0, -1, 10.5, '100', null, 1e300],
      reason: [undefined, ...noText(500)],
      amount: [100],
    },
  },
  'POST /refunds/:id/reject': {
    good: { reason: 'Worn' },
    alsoGood: [{ reason: text(500) }],
    refused: { reason: [undefined, ...noText(500)], note: ['x'] },
  },
  'POST /discrepancies/:id/close': {
    good: { reason: 'Agreed' },
    alsoGood: [{ reason: text(500) }],
    refused: { reason: [undefined, ...noText(500)], status: ['resolved'] },
  },
  'POST /members': {
    good: { email: 'a@b.example', role: 'viewer' },
    alsoGood: [{ name: text(100) }],
    refused: {
      email: emails,
      role: [undefined, 'admin', 'secret'],
      name: noText(100),
      password: ['correct horse battery'],
      status: ['active'],
    },
  },
  'PATCH /members/:id': {
    good: {},
    refused: {
      role: ['admin'],
      status: ['invited'],
      name: noText(100),
      email: ['new@test.example'],
      password: ['correct horse battery'],
    },
  },
  'POST /api-keys': {
    good: { kind: 'public' },
    alsoGood: [
      { name: text(100) },
      { min_amount_kobo: 10_000, max_amount_kobo: 100_000_000_000, description: text(500) },
    ],
    refused: {
      kind: [undefined, 'private'],
      min_amount_kobo: amounts.slice(1),
      max_amount_kobo: amounts.slice(1),
      description: noText(500),
      name: noText(100),
      mode: ['live'],
      allowed_origins: [[], null, 'https://store.example', Array(21).fill('https://a.example')],
    },
  },
  'PATCH /api-keys/:id': {
    good: {},
    alsoGood: [{ min_amount_kobo: null, max_amount_kobo: null, description: null }],
    refused: {
      min_amount_kobo: amounts.slice(1, -1),
      max_amount_kobo: amounts.slice(1, -1),
      description: noText(500).filter((value) => value !== null),
      name: noText(100),
      kind: ['secret'],
      allowed_origins: [[], 'https://store.example'],
      revoked_at: [null],
    },
  },
  'PATCH /business': {
    good: {},
    alsoGood: [{ support_email: null, support_phone: null }],
    refused: {
      support_email: emails.filter(Boolean),
      support_phone: ['0801', text(41), '', 7],
      logo_url: ['https://shop.example/logo.png'],
      tenant_id: ['ten_1'],
    },
  },
  'POST /connections': {
    good: { provider: 'provider_a', credentials: { secret_key: 'sk_test_x' } },
    alsoGood: [{ position: 1 }, { position: 100 }],
    refused: {
      provider: [undefined, 'provider_d', 'paystack', 'auto'],
      credentials: [undefined, 'sk_test_x', null],
      position: [0, 101, 1.5, '2'],
      base_url: ['https://evil.example'],
      sandbox: [true],
    },
  },
  'PATCH /connections/:id': {
    good: {},
    refused: {
      status: ['off', null],
      position: [0, 101, '2'],
      credentials: [null],
      provider: ['provider_b'],
      mode: ['live'],
      sandbox: [true],
      adapter: ['other'],
    },
  },
  'POST /webhook-endpoints': {
    good: { url: 'https://store.example/webhooks' },
    refused: {
      url: [undefined, 7, null, '', 'a\0b'],
      event_types: [[], null, ['charge.failed', 'charge.failed']],
      mode: ['live'],
      status: ['disabled'],
      secret: ['x'],
    },
  },
  'PATCH /webhook-endpoints/:id': {
    good: {},
    refused: {
      status: ['deleted', null],
      url: [null],
      secret: ['x'],
      mode: ['live'],
      missed_since: [null],
    },
  },
  'POST /auth/token': {
    good: { email: 'ada@example.com', password: 'x', mode: 'test' },
    alsoGood: [{ password: text(200), mode: 'live' }],
    refused: {
      email: emails,
      password: [undefined, 123_456_789_012, '', text(201), 'a\0b'],
      mode: [undefined, 'production'],
      remember: [true],
    },
  },
};

const refreshToken: Limits = {
  good: { refresh_token: 'hrt_x' },
  refused: { refresh_token: [undefined, '', 1, 'hrt_\0', text(201)], mode: ['test'] },
};
bodies['POST /auth/refresh'] = refreshToken;
bodies['POST /auth/revoke'] = refreshToken;

const queries: Record<string, Limits> = {
  'GET /charges': {
    good: { merchant_reference: 'order 1 & ä/?#' },
    refused: {
      merchant_reference: [undefined, '', ['a', 'b'], text(101), 'a\0', 'a\nb', { $ne: 'a' }],
      reference: ['a'],
      limit: ['1'],
    },
  },
  'GET /transactions': {
    good: {},
    alsoGood: [
      { from: '0001-01-01', to: '9999-12-31', limit: '100' },
      { from: '9999-12-31', limit: '1' },
    ],
    refused: {
      status: ['paid', '', ['settled', 'failed']],
      provider: ['paystack', 'auto'],
      channel: ['cash'],
      customer: ['ada', 'a\0b@example.com', `${text(250)}@example.com`],
      limit: limits,
      from: ['2026-02-29', '2026-2-1', '0000-01-01', '2026-03-01T00:00:00Z'],
      to: ['2026-03-01T00:00:00.000+01:00', '20260301', 'today', ''],
      colour: ['red'],
    },
  },
  'GET /refunds': {
    good: {},
    refused: {
      status: ['paid', '', ['requested', 'failed']],
      reference: ['order-1', ''],
      limit: limits,
      charge: ['SV-1'],
    },
  },
  'GET /reviews': {
    good: {},
    refused: { status: ['accepted'], reason: ['because'], limit: limits },
  },
  'GET /settlements': {
    good: {},
    refused: {
      status: ['settled'],
      provider: ['auto'],
      limit: limits,
      from: ['2026-02-29'],
      to: ['2026-03-01T00:00:00Z'],
      channel: ['card'],
    },
  },
  'GET /discrepancies': {
    good: {},
    refused: {
      status: ['accepted'],
      kind: ['odd'],
      provider: ['auto'],
      settlement: ids('stl'),
      limit: limits,
      from: ['2026-02-29'],
      to: ['tomorrow'],
      channel: ['card'],
    },
  },
  'GET /payment-links': {
    good: {},
    refused: { status: ['open', ''], limit: limits, customer: ['ada'] },
  },
  'GET /events': { good: {}, refused: { limit: limits, type: ['charge.succeeded'], after: [''] } },
  'GET /deliveries': {
    good: {},
    refused: {
      status: ['failed'],
      endpoint: ids('whe'),
      event: ids('evt'),
      limit: limits,
      tenant: ['x'],
    },
  },
  'GET /members': { good: {}, refused: { limit: limits, role: ['owner'] } },
  'GET /api-keys': { good: {}, refused: { limit: limits, kind: ['secret'] } },
  'GET /connections': { good: {}, refused: { limit: limits, mode: ['live'] } },
  'GET /webhook-endpoints': { good: {}, refused: { limit: limits, mode: ['live'] } },
};

function expectLimits(check: Check, { good, alsoGood = [], refused }: Limits): void {
  for (const more of [{}, ...alsoGood])
    expect(namedBy(check, { ...good, ...more }), JSON.stringify(more)).to.deep.equal([]);
  for (const [field, values] of Object.entries(refused)) {
    for (const value of values) {
      const { [field]: _replaced, ...others } = good;
      const input = value === undefined ? others : { ...others, [field]: value };
      expect(namedBy(check, input), JSON.stringify(value)).to.deep.equal([field]);
    }
  }
}

const routeOf = (name: string): Route => routes.find((route) => nameOf(route) === name)!;

describe('The limits of each field', () => {
  for (const [name, limitsOf] of Object.entries(bodies))
    it(`of the body of ${name}`, () => expectLimits(checkerOf(routeOf(name).body!), limitsOf));

  for (const [name, limitsOf] of Object.entries(queries))
    it(`of the query of ${name}`, () =>
      expectLimits(queryCheckerOf(routeOf(name).query!), limitsOf));
});

import { expect } from 'chai';
import { newCharge, paidCharge, putCharge, stored } from '../../support/charges.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { unescaped } from '../../support/html.ts';
import { openAccount } from '../../support/paystack-account.ts';
import { useStack } from '../../support/stack.ts';

/** What a page says, with one space between words. */
const textOf = (html: string) =>
  unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,])/g, '');

describe('The dashboard speaks to people', () => {
  const stack = useStack({ workers: false, newTenants: true });
  let owner: DashboardBrowser;
  beforeEach(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
  });

  const post = (path: string, fields: Record<string, string>, by = owner) =>
    by.post(path, { csrf: csrfOf(by), ...fields });

  async function succeededCharge(): Promise<string> {
    const charge = await newCharge(stack);
    await putCharge(stack, charge, 'succeeded');
    return charge.reference;
  }

  /** With the payment that paid it. */
  async function reallyPaid(): Promise<string> {
    await using _workers = stack.startWorkers();
    return (await paidCharge(stack)).reference;
  }

  it('a test charge says what its customer does', async () => {
    const charge = await newCharge(stack);
    await stack.sql`update charges set test_scenario = 'declined' where id = ${charge.id.replace('ct_', 'txn_')}`;
    const { html } = await owner.get(`/transactions/${charge.reference}`);
    expect(textOf(html)).to.include('Test scenario declined');
  });

  it('a refused form is told of by the labels of its fields, each a link to its field', async () => {
    const refund = `/transactions/${await succeededCharge()}/refund`;
    const refused: [path: string, fields: Record<string, string>, label: string, id: string][] = [
      [refund, { amount: 'much', reason: 'No fit.' }, 'Amount in naira', 'confirm-amount'],
      [refund, { amount: '1.00', reason: '' }, 'Reason', 'confirm-reason'],
      ['/payment-links', { amount: '', description: 'Hat' }, 'Amount in naira', 'amount'],
      [
        '/payment-links',
        { amount: '100', description: 'Hat', days: '0' },
        'Days until it expires',
        'days',
      ],
      [
        '/payment-links',
        { amount: '100', description: 'Hat', phone: '1' },
        'Customer’s phone',
        'phone',
      ],
      ['/developers/keys/new', { kind: 'public', min: '1' }, 'Least amount', 'min'],
      [
        '/developers/keys/new',
        { kind: 'public', min: '200', max: '100' },
        'Greatest amount',
        'max',
      ],
    ];
    for (const [path, fields, label, id] of refused) {
      const { status, html } = await post(path, fields);
      expect(status, path).to.equal(422);
      const [, alert = ''] = /role="alert">(.*?)<\/div>/s.exec(html)!;
      expect(unescaped(alert)).to.include(`<li><a href="#${id}">${label}</a> `);
      expect(html).to.include(` id="${id}"`);
      expect(alert, path).not.to.match(/_kobo|_in_days|customer\.|allowed_/);
    }
  });

  it('a form and a filter are refused in naira and whole numbers, without values of the API', async () => {
    const refund = `/transactions/${await succeededCharge()}/refund`;
    const link = { amount: '100', description: 'Hat' };
    const refused: [path: string, fields: Record<string, string>, words: string][] = [
      ['/payment-links', { ...link, amount: '1' }, 'Amount in naira must be at least ₦100.00.'],
      ['/payment-links', { ...link, days: '1.5' }, 'expires must be a whole number.'],
      [refund, { amount: '0', reason: 'No fit.' }, 'Amount in naira must be at least ₦0.01.'],
      [refund, { amount: '9999', reason: 'No fit.' }, 'still refundable: ₦1,000.00.'],
      ['/developers/keys/new', { kind: 'public', origins: 'shop' }, 'Web origins must be a web'],
      ['/developers/keys/new', { kind: 'open' }, 'Kind is none of the choices.'],
      ['/developers/endpoints', { url: 'https://a.example' }, 'must have at least one choice.'],
    ];
    for (const [path, fields, words] of refused) {
      const { html } = await post(path, fields);
      const [, alert = ''] = /role="alert">(.*?)<\/div>/s.exec(html)!;
      expect(textOf(alert), path).to.include(words);
      expect(textOf(alert), path).not.to.match(/kobo|integer|be one of|_| 0/);
    }
    const { html } = await owner.get('/transactions?settlement_id=x');
    expect(textOf(html)).to.include('Settlement must be an id that begins with stl_.');
  });

  it('a business without a provider is led to Providers, by whoever may connect one', async () => {
    const developer = await dashboardMember(stack, stack.tenant, 'developer');
    await stack.sql`update connections set disabled_at = now() where tenant_id = ${stack.tenant.tenant_id}`;
    for (const [member, hint] of [
      [owner, 'Connect one under Providers'],
      [developer, 'An Owner connects one under Providers'],
    ] as const) {
      const { status, html } = await post(
        '/payment-links',
        { amount: '100', description: 'Hat' },
        member,
      );
      expect(status).to.equal(422);
      expect(textOf(html)).to.include(`No payment provider is connected in test mode. ${hint}.`);
      expect(html.includes('href="/dashboard/providers">Connect'), hint).to.equal(member === owner);
      expect(html).not.to.include('/v1/');
    }
  });

  it('filters offer the providers there can be, by their names, and channels as people write them', async () => {
    const { html } = await owner.get('/transactions');
    const options = (name: string) =>
      textOf(new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's').exec(html)![1]!);
    expect(options('provider'))
      .to.include('Paystack')
      .and.not.match(/provider/i);
    expect(textOf(html)).to.include('USSD').and.include(' QR ').and.include('Mobile money');
  });

  it('a payment that its provider sends back no more is offered no refund, and says what to do', async () => {
    const reference = await reallyPaid();
    const paidBy = (channel: string) =>
      stack.sql`update charges set channel = ${channel} where number = ${Number(reference.slice(3))}`;
    await stack.sql`update connections set adapter = 'monnify' where tenant_id = ${stack.tenant.tenant_id}`;
    const offers = [
      ['/refunds', 'Approve'],
      [`/transactions/${reference}`, 'Request refund'],
    ] as const;
    await paidBy('bank_transfer');
    const asked = await stack.api.post('/refunds', { reference, amount_kobo: 100, reason: 'Worn' });
    for (const [channel, isOffered] of [
      ['bank_transfer', true],
      ['card', false],
    ] as const) {
      await paidBy(channel);
      for (const [path, button] of offers) {
        const text = textOf((await owner.get(path)).html);
        expect(text.includes(button), `${button}, ${channel}`).to.equal(isOffered);
        expect(text.includes('Refund it in Monnify’s dashboard'), path).to.equal(!isOffered);
      }
    }
    const approve = `/refunds/${asked.json.id}/approve`;
    const forms = [`/transactions/${reference}/refund`, approve];
    for (const form of forms) expect((await owner.get(form)).status, form).to.equal(409);
    expect((await post(approve, {})).status).to.equal(409);
  });

  it('a timeline has a sentence for each status', async () => {
    const charge = await newCharge(stack);
    const { id } = await stored(stack, charge);
    for (const status of ['pending', 'settled', 'refunded', 'disputed'])
      await stack.sql`insert into timeline_entries (id, charge_id, at, what)
        values (${`tle_${status}`}, ${id}, now(), ${`charge.${status}`})`;
    for (const what of ['attempt.failed', 'charge.failed'])
      await stack.sql`insert into timeline_entries (id, charge_id, at, what, detail)
        values (${`tle_z${what}`}, ${id}, now(), ${what}, 'Insufficient funds.')`;
    const text = textOf((await owner.get(`/transactions/${charge.reference}`)).html);
    expect(text.match(/Insufficient funds\./g), 'told once').to.have.lengthOf(1);
    expect(text).to.include('The payment failed.');
    expect(text).to.include('The payer’s bank asks for the payment back.');
    expect(text).not.to.match(/charge\.[a-z]/);
  });

  it('a provider that does not answer is told of beside its form', async () => {
    await stack.sql`delete from connections where tenant_id = ${stack.tenant.tenant_id}`;
    const secretKey = await openAccount(stack);
    await stack.control.faults({ error_rate: 1 });
    const { status, html } = await post('/providers', {
      ...{ provider: 'provider_a', secret_key: secretKey },
    });
    await stack.control.faults();
    expect(status).to.equal(503);
    expect(textOf(html)).to.include('nothing was saved').and.include('Connect Paystack');
    expect(html).not.to.include(secretKey);
  });

  it('the audit log tells times by the clocks of the business', async () => {
    const { html } = await owner.get('/developers');
    const [, id] = /\/developers\/keys\/(key_\w+)\/rotate/.exec(html)!;
    await post(`/developers/keys/${id}/rotate`, { overlap_hours: '24' });
    const log = textOf((await owner.get('/audit-log')).html);
    expect(log).to.match(/which works until \d+ \w+ \d{4}, \d\d:\d\d;/);
  });

  it('hints hold no marks of another notation', async () => {
    await stack.sql`update connections set disabled_at = now() where tenant_id = ${stack.tenant.tenant_id}`;
    const { html } = await owner.get('/providers');
    expect(html).to.include('form-hint').and.not.include('`');
    const { html: events } = await owner.get('/developers');
    expect(events).to.include('charge.failed').and.not.include('`');
  });

  it('ids in texts lead to their pages, for those who may see them', async () => {
    const reference = await succeededCharge();
    await post(`/transactions/${reference}/refund`, {
      amount: '1.00',
      reason: 'As for SV-100001.',
    });
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const { html } = await viewer.get(`/transactions/${reference}`);
    const [, id] = /<a [^>]*href="\/dashboard\/refunds\/(ref_\w+)">\1<\/a>/.exec(html)!;
    const refund = await viewer.get(`/refunds/${id}`);
    expect(refund.html).to.match(/As for <a [^>]*href="\/dashboard\/transactions\/SV-100001">/);

    await post('/developers/endpoints', {
      url: 'http://127.0.0.1:9/hook',
      event_types: 'charge.failed',
    });
    const link = /href="\/dashboard\/developers\/endpoints\/whe_/;
    for (const [member, isLed] of [
      [owner, true],
      [viewer, false],
    ] as const) {
      const log = await member.get('/audit-log');
      expect(log.html).to.include(`href="/dashboard/refunds/${id}"`).and.include('whe_');
      expect(link.test(log.html)).to.equal(isLed);
      expect(log.html).to.include('Member signed in').and.not.include('fam_');
    }
  });

  describe('a refusal that passes', () => {
    const kept: (() => void)[] = [];
    afterEach(() => {
      for (const restore of kept.splice(0)) restore();
    });
    function replace<Part extends object>(part: Part, by: Partial<Part>): void {
      const before = { ...part };
      Object.assign(part, by);
      kept.push(() => Object.assign(part, before));
    }

    it('says in minutes when to try again what, to a script of the page too', async () => {
      const spent = { allowed: false, limit: 10, remaining: 0, resetMs: 894_000 };
      replace(stack.context.limits, { take: async () => spent });
      for (const asked of [{}, { 'hx-request': 'true' }]) {
        const { status, html, headers } = await owner.get('/transactions?status=failed', asked);
        expect([status, headers.get('retry-after')]).to.deep.equal([429, '894']);
        expect(textOf(html)).to.include('Too many requests. Try again in 15 minutes. Try again');
        expect(html).to.include('href="/dashboard/transactions?status=failed"');
      }
      const { html } = await post('/payment-links', { amount: '100', description: 'Hat' });
      expect(textOf(html)).to.include('Then go back and send the form again');
    });

    it('is a page where it comes before the dashboard', async () => {
      const full = { take: () => false, [Symbol.dispose]: () => {} };
      replace(stack.context.unverifiedBodies, { hold: () => full });
      for (const path of ['/dashboard/sign-in', '/set-password/none']) {
        const address = stack.context.env.publicUrl + path;
        const refused = await fetch(address, { method: 'POST', body: new URLSearchParams('a=b') });
        expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
        expect(refused.headers.get('content-type')).to.match(/^text\/html/);
        expect(refused.headers.get('content-security-policy')).to.include("default-src 'none'");
      }
    });
  });

  describe('an address with nothing behind it', () => {
    const at = (path: string, accept: string) =>
      fetch(stack.context.env.publicUrl + path, { headers: { accept }, redirect: 'manual' });
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

    it('answers a browser with a page, a program with JSON, and is JSON below /v1 for both', async () => {
      const page = await at('/nothing/here', BROWSER);
      expect(page.status).to.equal(404);
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(await page.text())
        .to.include('Not found')
        .and.include('href="/dashboard"');
      for (const [path, accept] of [
        ['/nothing/here', '*/*'],
        ['/nothing/here', 'application/json'],
        ['/v1/nothing', BROWSER],
      ] as const)
        expect((await at(path, accept)).headers.get('content-type'), path).to.match(/json/);
    });

    it('leads a browser from / to the dashboard', async () => {
      const { status, headers } = await at('/', BROWSER);
      expect([status, headers.get('location')]).to.deep.equal([303, '/dashboard']);
      expect((await at('/', '*/*')).status).to.equal(404);
    });
  });
});

import { expect } from 'chai';
import type { PaymentOrder, ProviderCapture } from '../../domain/providers/provider.ts';
import { openStand, type Stand, type StandOptions } from './stand.ts';
import { errorOf } from './wire.ts';

/** Where providers rightly differ. */
export interface Nature extends StandOptions {
  /** True: a declined payment is final at once. False: only when its link has ended. */
  declinesAtOnce: boolean;
  /** Channels of the sandbox that the adapter can tell apart; others become `other`. */
  channels: readonly string[];
}

const TIMEOUT_MS = 2_000;
const options = { timeoutMs: TIMEOUT_MS };
/** How long the orders can still be paid. */
const livesMs = 24 * 3_600_000;

/** What the service relies on, whoever the provider is. Run for every adapter against the sandbox that speaks its wire format. */
export function describeConformance(nature: Nature): void {
  describe(`${nature.adapter} keeps the promises of every provider`, () => {
    let stand: Stand;
    before(async () => {
      stand = await openStand(nature);
    });
    after(() => stand[Symbol.asyncDispose]());
    afterEach(() => stand.control.faults());

    const orderOf = (reference: string, overrides: Partial<PaymentOrder> = {}): PaymentOrder => ({
      ...{ reference, amountKobo: 500_000, currency: 'NGN', email: 'ada@example.com', name: 'Ada', phone: '+2348012345678' },
      ...{ description: 'Two tickets', callbackUrl: 'https://pay.example/pay/ct_1?returned=1', livesMs },
      ...overrides,
    });
    const opened = async (overrides: Partial<PaymentOrder> = {}) => {
      const reference = stand.newReference();
      return { reference, payment: await stand.provider.create(orderOf(reference, overrides), options) };
    };
    const verify = (reference: string) => stand.provider.verify(reference, options);
    const captureOf = async (reference: string): Promise<ProviderCapture> => {
      const { state, captures } = await verify(reference);
      expect({ state, captures: captures.length }).to.deep.equal({ state: 'paid', captures: 1 });
      return captures[0]!;
    };

    describe('creating', () => {
      it('answers with a pay page the payer can open', async () => {
        const { payment } = await opened();
        const page = await fetch(payment.url);
        expect(page.status).to.equal(200);
        expect(await page.text()).to.include('5,000.00');
        if (payment.linkLivesMs !== null) expect(payment.linkLivesMs).to.be.within(60_000, livesMs);
      });

      it('needs neither name, phone nor description', async () => {
        await opened({ name: null, phone: null, description: null });
      });

      it('again under one reference is told from the first time, where the adapter says so', async function () {
        if (!stand.provider.rejectsDuplicates) this.skip();
        const { reference } = await opened();
        expect((await errorOf(stand.provider.create(orderOf(reference), options))).kind).to.equal('duplicate');
      });

      it('is refused in plain words when the provider will not have it', async () => {
        const error = await errorOf(stand.provider.create(orderOf(stand.newReference(), { email: 'nobody' }), options));
        expect(error).to.include({ kind: 'refused', stage: 'create' });
        expect(error.message).to.match(/^[A-Z][^<{]+$/);
      });
    });

    describe('verifying', () => {
      it('knows nothing of a reference that was never sent', async () => {
        expect(await verify(stand.newReference())).to.deep.include({ state: 'absent', captures: [], failureMessage: null });
      });

      it('knows a payment that was made and not paid', async () => {
        const { reference } = await opened();
        expect(await verify(reference)).to.deep.include({ state: 'unpaid', captures: [] });
      });

      it('states the money whole, and the same each time', async () => {
        const startedAt = Date.now();
        const { reference } = await opened();
        await stand.control.pay(reference);
        const capture = await captureOf(reference);
        expect(capture).to.include({ reference, amountKobo: 500_000, currency: 'NGN', channel: 'card', mode: 'test' });
        expect(capture.providerPaymentId).to.match(/\S/);
        expect(capture.feeKobo).to.satisfy((fee: number) => Number.isInteger(fee) && fee > 0 && fee < 50_000);
        for (const at of [capture.createdAt, capture.capturedAt]) expect(at!.getTime()).to.be.within(startedAt - 1_000, Date.now() + 1_000);
        expect(await captureOf(reference)).to.deep.equal(capture);
      });

      it('keeps the answer as evidence', async () => {
        const { reference } = await opened();
        await stand.control.pay(reference);
        expect((await verify(reference)).raw).to.include(reference);
      });

      it('keeps every kobo', async () => {
        for (const amountKobo of [10_000, 10_001, 12_345, 99_999, 100_010, 123_456_789, 99_999_999_999]) {
          const { reference } = await opened({ amountKobo });
          await stand.control.pay(reference);
          expect((await captureOf(reference)).amountKobo, `${amountKobo}`).to.equal(amountKobo);
        }
      });

      it('states what was really paid, when it is too little or too much', async () => {
        for (const amountKobo of [499_999, 1, 500_001, 900_000]) {
          const { reference } = await opened();
          await stand.control.pay(reference, { amount_kobo: amountKobo, channel: 'bank_transfer' });
          const { captures } = await verify(reference);
          expect(captures.map((capture) => capture.amountKobo)).to.deep.equal([amountKobo]);
        }
      });

      it('names the channel in our words', async () => {
        for (const channel of ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other']) {
          const { reference } = await opened();
          await stand.control.pay(reference, { channel });
          expect((await captureOf(reference)).channel).to.equal(nature.channels.includes(channel) ? channel : 'other');
        }
      });

      it('tells a declined payment, and takes money that comes after it', async () => {
        const { reference } = await opened();
        await stand.control.pay(reference, { outcome: 'failed' });
        const declined = await verify(reference);
        expect(declined.state).to.equal(nature.declinesAtOnce ? 'declined' : 'unpaid');
        if (nature.declinesAtOnce) expect(declined.failureMessage).to.match(/^[A-Z].+/);
        await stand.control.pay(reference);
        await captureOf(reference);
      });

      it('sees nothing of other accounts', async () => {
        const { reference } = await opened();
        await stand.control.pay(reference);
        expect((await stand.stranger.verify(reference, options)).state).to.equal('absent');
      });
    });

    describe('checking credentials', () => {
      it('accepts the account’s own, and leaves no mark at the provider', async () => {
        const before = await stand.control.stats();
        await stand.provider.checkCredentials(options);
        await stand.stranger.checkCredentials(options);
        expect(await stand.control.stats()).to.deep.equal(before);
      });

      it('refuses what the provider does not know, in plain words', async () => {
        const error = await errorOf(stand.impostor.checkCredentials(options));
        expect(error).to.include({ kind: 'refused', stage: 'check' });
        expect(error.message).to.match(/^[A-Z][^<{]+$/);
      });
    });

    describe('failing', () => {
      const each = async (provider = stand.provider, timeoutMs = TIMEOUT_MS) => ({
        create: (await errorOf(provider.create(orderOf(stand.newReference()), { timeoutMs }))).kind,
        verify: (await errorOf(provider.verify(stand.newReference(), { timeoutMs }))).kind,
        check: (await errorOf(provider.checkCredentials({ timeoutMs }))).kind,
      });

      it('is refused with credentials the provider does not know, and never called absent', async () => {
        expect(await each(stand.impostor)).to.deep.equal({ create: 'refused', verify: 'refused', check: 'refused' });
      });

      it('leaves the outcome open when the provider breaks', async () => {
        await stand.control.faults({ error_rate: 1 });
        expect(await each()).to.deep.equal({ create: 'unknown', verify: 'unknown', check: 'unknown' });
      });

      it('leaves the outcome open when the answer takes too long', async () => {
        await stand.control.faults({ latency_ms: 600 });
        const startedMs = performance.now();
        expect(await each(stand.provider, 200)).to.deep.equal({ create: 'unknown', verify: 'unknown', check: 'unknown' });
        expect(performance.now() - startedMs).to.be.below(1_000);
      });

      it('is for later when the provider limits calls', async () => {
        await stand.control.faults({ rate_limit_rate: 1 });
        expect(await each()).to.deep.equal({ create: 'limited', verify: 'limited', check: 'limited' });
      });

      it('is for later when nothing answers', async () => {
        expect(await each(stand.unreachable)).to.deep.equal({ create: 'retryable', verify: 'retryable', check: 'retryable' });
      });

      it('finds a payment whose answer was lost', async () => {
        await stand.control.faults({ timeout_after_accept_rate: 1 });
        const reference = stand.newReference();
        expect((await errorOf(stand.provider.create(orderOf(reference), { timeoutMs: 200 }))).kind).to.equal('unknown');
        await stand.control.faults();
        expect((await verify(reference)).state).to.equal('unpaid');
        await stand.control.pay(reference);
        await captureOf(reference);
      });
    });

    describe('being notified', () => {
      async function notified() {
        const { reference } = await opened();
        await stand.control.pay(reference);
        await stand.sandbox.idle();
        const { headers, raw } = stand.receiver.received.at(-1)!;
        return { reference, headers, raw: Buffer.from(raw) };
      }

      it('knows which payment to ask about', async () => {
        const { reference, headers, raw } = await notified();
        expect(stand.provider.readNotification(headers, raw)?.references).to.deep.equal([reference]);
      });

      it('believes nobody else: another account, other bytes, no signature', async () => {
        const { headers, raw } = await notified();
        const tampered = Buffer.from(raw);
        tampered[tampered.length - 2]! ^= 1;
        expect(stand.stranger.readNotification(headers, raw)).to.equal(undefined);
        expect(stand.provider.readNotification(headers, tampered)).to.equal(undefined);
        expect(stand.provider.readNotification({}, raw)).to.equal(undefined);
      });

      it('never throws, whatever comes', () => {
        const bodies = ['', '{', 'null', '[]', '\0', '{"data":{}}'].map((text) => Buffer.from(text));
        for (const body of bodies) {
          for (const value of [undefined, '', 'x', ['a', 'b']]) {
            const headers = { 'x-paystack-signature': value, 'verif-hash': value, 'monnify-signature': value };
            expect(stand.provider.readNotification(headers, body)).to.equal(undefined);
          }
        }
      });
    });
  });
}

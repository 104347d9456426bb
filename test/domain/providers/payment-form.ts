import { expect } from 'chai';
import {
  captureOf,
  listedPayments,
  type PaymentForm,
  verificationOf,
} from '../../../domain/providers/adapter/payments.ts';
import { type Row, UnclearError } from '../../../domain/providers/adapter/read.ts';
import type { ListedPayment, ProviderCapture } from '../../../domain/providers/port/payment.ts';

export interface PaymentTables {
  provider: string;
  form: PaymentForm;
  payment(fields?: Row): Row;
  /** Our states with the statuses that have them, without those that nobody documents. */
  states: Record<string, string[]>;
  goneBack: string[];
  goingBack: string[];
  channels: Record<string, string[]>;
  /** The field of a reason, and what is said without one in a status; none: no reason is stated. */
  reason?: { field: string; unstated: Record<string, string> };
  unread: string[];
  unclear: Row[];
  id: string;
  amounts: string[];
  /** The payment, read as a capture. */
  whole: ProviderCapture;
}

export function isClear(form: PaymentForm, payment: Row): boolean {
  try {
    return Boolean(captureOf(form, payment));
  } catch (error) {
    if (error instanceof UnclearError) return false;
    throw error;
  }
}

export function describePaymentForm(tables: PaymentTables): void {
  const { provider, form, payment } = tables;
  const { reference, status, channel } = form;
  const verified = (fields: Row) => verificationOf(form, [payment(fields)], 'raw');
  const captured = (fields: Row) => captureOf(form, payment(fields));

  describe(`A payment of ${provider}`, () => {
    it('is read as a capture with all its fields', () => {
      expect(captured({})).to.deep.equal(tables.whole);
    });

    it('has one of our states for each documented status, and is unknown with any other', () => {
      const unknown = ['constructor', 'unheard-of', '', null, 7];
      for (const [state, statuses] of Object.entries({ ...tables.states, unknown }))
        for (const word of statuses)
          for (const written of typeof word === 'string' ? [word, `${word} `] : [word]) {
            const own = typeof word === 'string' ? form.wordOf(word) : '';
            expect(verified({ [status]: written }), `${word}`).to.include({ state, status: own });
          }
      const capitals = form.wordOf('a') === 'a' ? 'toUpperCase' : 'toLowerCase';
      const [paid] = tables.states.paid!;
      expect(verified({ [status]: paid![capitals]() })).to.include({ state: 'paid' });
    });

    it('is reversed once all of it went back, and not while that is under way', () => {
      for (const word of tables.states.paid!) {
        const isReversed = tables.goneBack.includes(word);
        const hasRefunds = isReversed || tables.goingBack.includes(word);
        expect(verified({ [status]: word }), word).to.include({ hasRefunds });
        expect(captured({ [status]: word }).isReversed, word).to.equal(isReversed || undefined);
      }
    });

    it('has one of our channels, or `other` and a note where the channel is not documented', () => {
      for (const [ours, words] of Object.entries(tables.channels))
        for (const word of words) {
          expect(captured({ [channel]: ` ${word}` }).channel, word).to.equal(ours);
          expect(verified({ [channel]: word }).unknownWords, word).to.deep.equal([]);
        }
      for (const word of ['carrier pigeon', 'toString']) {
        expect(captured({ [channel]: word }).channel).to.equal('other');
        const unknownWords = [`channel "${form.wordOf(word)}"`];
        expect(verified({ [channel]: word })).to.deep.include({ unknownWords });
      }
      for (const none of [null, undefined, 7, '']) {
        expect(captured({ [channel]: none }).channel).to.equal('other');
        expect(verified({ [channel]: none }).unknownWords).to.deep.equal([]);
      }
    });

    it('has a capture, words to look at and a reason only in the state for it', () => {
      for (const [state, [word]] of Object.entries(tables.states)) {
        const read = verified({ [status]: word, [channel]: 'carrier pigeon' });
        const isPaid = state === 'paid';
        expect([read.captures.length, read.unknownWords.length], word).to.deep.equal([
          ...(isPaid ? [1, 1] : [0, 0]),
        ]);
        const isFailed = state === 'declined' || state === 'retrying';
        expect(read.failureMessage !== null, word).to.equal(isFailed);
        expect(read.raw).to.equal('raw');
      }
    });

    it('gives its reason in one line', () => {
      const { field, unstated } = tables.reason ?? { field: '', unstated: {} };
      for (const [word, sentence] of Object.entries(unstated)) {
        const said = { [status]: word, [field]: ' Insufficient\nfunds\u0000' };
        expect(verified(said).failureMessage).to.equal('Insufficient funds');
        for (const none of [null, '', 7])
          expect(verified({ ...said, [field]: none }).failureMessage).to.equal(sentence);
      }
    });

    it('keeps another reference or currency as stated, and an unstated one empty', () => {
      const foreign = captured({ [reference]: 'REF-1', currency: 'usd' });
      expect(foreign).to.include({ reference: 'REF-1', currency: 'USD' });
      const unstated = captured({ [reference]: null, currency: undefined });
      expect(unstated).to.include({ reference: '', currency: '' });
    });

    it('has words of any length, of which the beginning is kept', () => {
      const [long, kept] = ['x'.repeat(51), form.wordOf('x'.repeat(50))];
      expect(verified({ [status]: long }).status).to.equal(kept);
      expect(verified({ [channel]: long }).unknownWords).to.deep.equal([`channel "${kept}"`]);
      expect(captured({ currency: long }).currency).to.equal('X'.repeat(10));
    });

    it('is read with its other fields in any form', () => {
      for (const odd of ['', 0, null, '{"a":1}', { a: 1 }, [], undefined]) {
        const fields = Object.fromEntries(tables.unread.map((name) => [name, odd]));
        expect(captured(fields)).to.deep.equal(captured({}));
      }
    });

    it('is unclear where its amount or id is', () => {
      const odd = [null, undefined, '', {}, 1.5, 'a b'].map((value) => ({ [tables.id]: value }));
      for (const fields of [...odd, ...tables.unclear])
        expect(isClear(form, payment(fields)), JSON.stringify(fields)).to.equal(false);
    });
  });

  describe(`A row in a list of ${provider}'s payments`, () => {
    const { providerPaymentId, reference: ours, amountKobo, capturedAt: at } = tables.whole;
    const listed: ListedPayment = {
      ...{ providerPaymentId, reference: ours, isPaid: true, amountKobo, at },
    };
    const list = (row: Row) => listedPayments(form, [row]);
    const row = payment();
    const without = (...names: string[]) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

    it('needs a reference and a status, and nothing else', () => {
      expect(list(row)).to.deep.equal([listed]);
      const least = { [reference]: row[reference], [status]: row[status] };
      expect(list(least)).to.deep.equal([
        { ...listed, providerPaymentId: null, amountKobo: null, at: null },
      ]);
    });

    it('may name the payment alone, or state an amount that is not clear', () => {
      expect(list(without(reference))).to.deep.equal([{ ...listed, reference: '' }]);
      const unclear = Object.fromEntries(tables.amounts.map((name) => [name, '1.2345,6']));
      expect(list({ ...row, ...unclear })[0]).to.include({
        ...{ providerPaymentId: listed.providerPaymentId, reference: listed.reference },
        amountKobo: null,
      });
    });

    it('whose status is not known is listed, and not as paid', () => {
      expect(list(payment({ [status]: 'unheard-of' }))).to.deep.equal([
        { ...listed, isPaid: false },
      ]);
    });

    it('that is reversed says so, and one that is not paid is left out', () => {
      for (const [state, words] of Object.entries(tables.states))
        for (const word of words) {
          const isReversed = tables.goneBack.includes(word) && { isReversed: true };
          const expected = state === 'paid' ? [{ ...listed, ...isReversed }] : [];
          expect(list(payment({ [status]: word })), word).to.deep.equal(expected);
        }
    });

    it('that cannot be read is left out', () => {
      const unreadable = [{}, without(status), without(reference, tables.id)];
      for (const odd of [...unreadable, { ...without(reference), [tables.id]: 'not an id' }])
        expect(list(odd), JSON.stringify(odd)).to.deep.equal([]);
    });
  });
}

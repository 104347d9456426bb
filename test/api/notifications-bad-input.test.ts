import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../support/api.ts';
import { openCharge, paidCharge, stored } from '../support/charges.ts';
import { expectError } from '../support/contract.ts';
import { rawRequest } from '../support/raw-http.ts';
import { rowCounts, writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import {
  type Account,
  accountsOf,
  chunkedTo,
  expectOneLine,
  logging,
  notify,
  post,
} from './notifications-given.ts';

const MB = 1024 * 1024;

describe('A notification that is not what it should be', () => {
  let stack: Stack;
  let accounts: Record<string, Account>;
  /** References and payment ids that are none of the account's business, by whose they are. */
  const others = {
    tenant: '',
    connection: {} as Record<string, { reference: string; paymentId: string }>,
  };
  before(async () => {
    stack = await startStack();
    accounts = await accountsOf(stack, stack.tenant.tenant_id);
    const other = await stack.newTenant();
    others.tenant = (await open({ provider: 'provider_a' }, other.secret_key_test)).reference;
    for (const [adapter, { slot }] of Object.entries(accounts)) {
      const { attempts, captures } = await stored(
        stack,
        await paidCharge(stack, { provider: slot }),
      );
      others.connection[adapter] = {
        reference: attempts[0]!.reference,
        paymentId: captures[0]!.provider_payment_id,
      };
    }
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  /** An open payment, of the tenant or of whoever has the key. */
  const open = async (body: object, key?: string): Promise<Record<string, any>> => {
    if (key === undefined)
      return (await stored(stack, await openCharge(stack, { ...body }))).attempts[0]!;
    const { json } = await stack.api.post(
      '/charges',
      { amount_kobo: 100_000, email: 'payer@example.com', ...body },
      { key },
    );
    await stack.settle();
    return (await stored(stack, json)).attempts[0]!;
  };
  const verifies = async () =>
    Object.values(await stack.control.stats()).reduce((sum, { verifies: one }) => sum + one, 0);
  const without = ({ notifications, ...rest }: Record<string, number>) => rest;

  for (const adapter of ['paystack', 'flutterwave', 'monnify']) {
    describe(`of ${adapter}`, () => {
      let account: Account;
      before(() => {
        account = accounts[adapter]!;
      });
      const elsewhere = () => others.connection[adapter === 'paystack' ? 'monnify' : 'paystack']!;

      // As much as is taken at all; how deep it goes is the same for every provider, so once is enough.
      const brackets = adapter === 'paystack' ? 5 : 0.5;
      const signed: [what: string, body: () => string | Buffer][] = [
        ['JSON that breaks off', () => account.tell('SV-1-abcdefgh').slice(0, -5)],
        ['no JSON', () => 'reference=SV-1-abcdefgh&status=success'],
        ['nothing', () => ''],
        ['bytes that are no text', () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28])],
        [
          'an unknown event',
          () =>
            '{"event":"moon.landed","eventType":"MOON_LANDED","data":{"id":7},"eventData":{"id":7}}',
        ],
        ['a reference of nobody', () => account.tell('SV-999999-00000000')],
        ['a reference of another tenant', () => account.tell(others.tenant)],
        ['a reference of another connection', () => account.tell(elsewhere().reference)],
        [
          "another connection's payment id",
          () =>
            account.tell('none', {
              id: elsewhere().paymentId,
              transactionReference: elsewhere().paymentId,
            }),
        ],
        [
          'NUL and half a surrogate pair',
          () => account.tell('SV-1\u0000\ud800').replace('success', '\\u0000\\udfff'),
        ],
        [
          `${brackets} MB of brackets`,
          () =>
            `{"event":${'['.repeat((brackets / 2) * MB - 50)}${']'.repeat((brackets / 2) * MB - 50)}}`,
        ],
        [
          'a thousand levels',
          () => account.tell('none', JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)),
        ],
        [
          'thousands of references',
          () => account.tell('none', { transactions: manyReferences(), tx_ids: manyReferences() }),
        ],
      ];
      for (const [what, body] of signed) {
        it(`is taken and ends ignored, with ${what}: nobody is asked, and nothing else is written`, async () => {
          const bytes = body();
          const [before, asked] = [await rowCounts(stack), await verifies()];
          let answer: Answer | undefined;
          const lines = await logging(stack, async () => {
            answer = await notify(stack, account, bytes);
            await stack.settle();
          });
          expect([answer!.status, answer!.json]).to.deep.equal([200, { received: true }]);
          const now = await rowCounts(stack);
          expect(now.notifications).to.equal(Number(before.notifications) + 1);
          expect([without(now), await verifies()]).to.deep.equal([without(before), asked]);
          expectOneLine(lines, { outcome: 'received', connection: account.connectionId }, [
            ...Object.values(account.sign(bytes)),
            'SV-',
          ]);
          const [job, ...more] = lines.filter(({ message }) => message.startsWith('job '));
          expect(job).to.include({
            outcome: 'completed',
            connection_id: account.connectionId,
            notification: 'ignored',
            asked: 0,
            mode: 'test',
          });
          expect(more).to.deep.equal([]);
        });
      }

      it('says nothing that is believed: a payment it names that was not made stays unmade', async () => {
        const attempt = await open({ provider: account.slot });
        expect((await notify(stack, account, account.tell(attempt.reference))).status).to.equal(
          200,
        );
        await stack.settle();
        const number = attempt.reference.split('-').slice(0, 2).join('-');
        expect((await stack.api.get(`/charges/${number}`)).json.status).to.equal('open');
      });

      it('comes ten times at once, and is one: one row, one question', async () => {
        const attempt = await open({ provider: account.slot });
        const body = account.tell(attempt.reference);
        const before = await stack.count('notifications');
        const lines = await logging(stack, async () => {
          const answers = await Promise.all(
            Array.from({ length: 10 }, () => notify(stack, account, body)),
          );
          expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
          await stack.settle();
        });
        expect(await stack.count('notifications')).to.equal(Number(before) + 1);
        const outcomes = lines
          .filter(({ message }) => message === 'request')
          .map(({ outcome }) => outcome);
        expect(outcomes.sort()).to.deep.equal(['received', ...Array(9).fill('repeated')]);
        const asked = lines
          .filter(({ message }) => message.startsWith('job '))
          .reduce((sum, line) => sum + (line.asked ?? 0), 0);
        expect(asked).to.be.at.most(1);
      });

      const refused: [
        what: string,
        status: number,
        code: string,
        known: boolean,
        send: () => Promise<Answer>,
      ][] = [
        [
          '10 MB',
          413,
          'payload_too_large',
          false,
          () => notify(stack, account, Buffer.alloc(10 * MB, ' ')),
        ],
        [
          '10 MB of a length it does not say',
          413,
          'payload_too_large',
          true,
          () => tenMegabytes(account.connectionId),
        ],
        ['gzip', 415, 'unsupported_media_type', false, () => packed(account)],
      ];
      for (const [what, status, code, known, send] of refused) {
        it(`is refused with ${what}, and not stored`, async () => {
          const lines = await logging(stack, async () =>
            expectError(await writingNothing(stack, send), status, code),
          );
          expectOneLine(lines, { outcome: code, connection: known ? account.connectionId : null });
        });
      }
    });
  }

  const manyReferences = () =>
    Array.from({ length: 20_000 }, (_, n) => ({
      paymentReference: `SV-${n}-zzzzzzzz`,
      transactionReference: `M|${n}`,
    }));
  const packed = ({ connectionId, sign, tell }: Account) => {
    const body = gzipSync(tell('SV-1-abcdefgh'));
    return post(stack, connectionId, body, { 'content-encoding': 'gzip', ...sign(body) });
  };
  const tenMegabytes = (to: string) => {
    const { request, answered } = chunkedTo(stack, to, {});
    for (let mb = 0; mb < 10; mb++) request.write(Buffer.alloc(MB, ' '));
    request.end();
    return answered;
  };

  it('is refused by any other method, which one is possible is said, and nothing is done', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const path = `/notifications/${accounts.paystack!.connectionId}`;
      const lines = await logging(stack, async () => {
        const answer = await writingNothing(stack, () =>
          rawRequest(new URL(stack.baseUrl).origin, { method, path }),
        );
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')).to.equal('POST');
      });
      expectOneLine(lines, { outcome: 'method_not_allowed', connection: null });
    }
  });

  it('that breaks off on the way is not stored, and is told in one line', async () => {
    const { hostname, port } = new URL(stack.baseUrl);
    const { connectionId } = accounts.flutterwave!;
    const lines = await logging(stack, () =>
      writingNothing(stack, async () => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /notifications/${connectionId} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100\r\n\r\n{"event":`,
        );
        socket.end();
        await new Promise((resolve) => socket.resume().once('close', resolve));
      }),
    );
    expect(lines.map(({ message }) => message)).to.deep.equal(['request']);
  });
});

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../../support/api.ts';
import { openCharge, paidCharge, stored } from '../../support/charges.ts';
import { MINUTE } from '../../support/clock.ts';
import { expectError, expectRefusal } from '../../support/contract.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { rowCounts, writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';
import {
  type Account,
  accountsOf,
  expectOneLine,
  type Line,
  logging,
  notify,
  post,
} from './given.ts';

const MB = 1024 * 1024;
const MOST = 5 * MB;
const adapters = ['paystack', 'flutterwave', 'monnify'];

describe('POST /notifications/{connection}', () => {
  const stack = useStack();
  let accounts: Record<string, Account>;
  before(async () => {
    accounts = await accountsOf(stack, stack.tenant.tenant_id);
  });

  const verifies = async () =>
    Object.values(await stack.control.stats()).reduce((sum, { verifies: one }) => sum + one, 0);
  const jobsIn = (lines: Line[]) => lines.filter(({ message }) => message.startsWith('job '));
  const notificationOf = async (body: string) => {
    const [row] = await stack.sql`select status, tries from notifications
      where body_sha256 = encode(sha256(convert_to(${body}, 'UTF8')), 'hex')`;
    return row;
  };

  it('stores a body once, answers 200 and finds the payment it names', async () => {
    const account = accounts.paystack!;
    const charge = await openCharge(stack);
    const { attempts } = await stored(stack, charge);
    await stack.control.pay(charge.reference, { notify: false });
    const body = account.bodyOf(attempts[0]!.reference);
    const [first] = await runTwice(stack, async () => {
      const answer = await notify(stack, account, body);
      await stack.settle();
      return answer;
    });
    expect([first.status, first.json]).to.deep.equal([200, { received: true }]);
    expect((await stored(stack, charge)).status).to.equal('succeeded');
    await writingNothing(stack, () => stack.pass(MINUTE));
    expect(await notificationOf(body)).to.deep.equal({ status: 'processed', tries: 2 });
  });

  for (const adapter of adapters) {
    it(`of ${adapter} is not trusted: it verifies, once for ten simultaneous notifications`, async () => {
      const account = accounts[adapter]!;
      const charge = await openCharge(stack, { provider: account.slot });
      const body = account.bodyOf((await stored(stack, charge)).attempts[0]!.reference);
      const before = await stack.count('notifications');
      const lines = await logging(stack, async () => {
        const ten = Array.from({ length: 10 }, () => notify(stack, account, body));
        const answers = (await Promise.all(ten)).map(({ status, text }) => `${status} ${text}`);
        expect(new Set(answers).size).to.equal(1);
        await stack.settle();
      });
      expect(await stack.count('notifications')).to.equal(before + 1);
      const requests = lines.filter(({ message }) => message === 'request');
      const outcomes = requests.map(({ outcome }) => outcome);
      expect(outcomes.sort()).to.deep.equal(['received', ...Array(9).fill('repeated')]);
      expect(jobsIn(lines).reduce((sum, line) => sum + (line.verified ?? 0), 0)).to.be.at.most(1);
      expect((await stored(stack, charge)).status).to.equal('pending');
    });

    it(`of ${adapter} ignores, without a call, what is signed but names no payment of this connection`, async () => {
      const account = accounts[adapter]!;
      const bodies = await bodiesOfNobody(account);
      const [before, verified] = [await rowCounts(stack), await verifies()];
      const lines = await logging(stack, async () => {
        for (const body of bodies)
          expect((await notify(stack, account, body)).status).to.equal(200);
        await stack.settle();
      });
      const notifications = before.notifications! + bodies.length;
      expect(await rowCounts(stack)).to.deep.equal({ ...before, notifications });
      expect(await verifies()).to.equal(verified);
      const ended = jobsIn(lines).map((line) => [line.notification, line.verified]);
      expect(ended).to.deep.equal(bodies.map(() => ['ignored', 0]));
      const all = JSON.stringify(lines);
      for (const secret of [...Object.values(account.sign(bodies[0]!)), 'SV-'])
        expect(all).not.to.include(secret);
      expect(await stack.count('notifications where length(event) > 100')).to.equal(0);
    });
  }

  async function bodiesOfNobody({ adapter, bodyOf }: Account): Promise<(string | Buffer)[]> {
    const other = await stack.newTenant();
    const { json } = await stack.api.post(
      '/charges',
      { amount_kobo: 100_000, email: 'payer@example.com' },
      { key: other.secret_key_test },
    );
    const elsewhere = accounts[adapter === 'paystack' ? 'monnify' : 'paystack']!;
    const paid = await stored(stack, await paidCharge(stack, { provider: elsewhere.slot }));
    const { provider_payment_id: id } = paid.captures[0]!;
    const many = Array.from({ length: 20_000 }, (_, n) => ({
      paymentReference: `SV-${n}-zzzzzzzz`,
      transactionReference: `M|${n}`,
    }));
    return [
      bodyOf('SV-1-abcdefgh').slice(0, -5),
      '',
      'null',
      '[1,2]',
      '{"__proto__":{"event":"charge.success"},"event":"x"}',
      Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28]),
      '{"event":"moon.landed","eventType":"MOON_LANDED","data":{"id":7},"eventData":{"id":7}}',
      `{"event":"${'e'.repeat(1_000_000)}","data":{"reference":"${'r'.repeat(1_000_000)}"}}`,
      bodyOf('SV-999999-00000000'),
      bodyOf((await stored(stack, json)).attempts[0]!.reference),
      bodyOf(paid.attempts[0]!.reference),
      bodyOf('none', { id, transactionReference: id }),
      bodyOf('SV-1\u0000\ud800').replace('success', '\\u0000\\udfff'),
      bodyOf('none', JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)),
      bodyOf('none', { transactions: many, tx_ids: many }),
    ];
  }

  it('accepts 5 MB, however deeply nested, and refuses one byte more and compressed bodies', async () => {
    const account = accounts.paystack!;
    const half = MOST / 2 - 5;
    const deep = `{"event":${'['.repeat(half)}${']'.repeat(half)}}`.slice(0, MOST);
    expect(deep.length).to.equal(MOST);
    expect((await notify(stack, account, deep)).status).to.equal(200);
    await stack.settle();

    const gzip = gzipSync(account.bodyOf('SV-1-abcdefgh'));
    const packed = { 'content-encoding': 'gzip', ...account.sign(gzip) };
    const refused: [status: number, code: string, send: () => Promise<Answer>][] = [
      [413, 'payload_too_large', () => notify(stack, account, Buffer.alloc(MOST + 1, ' '))],
      [415, 'unsupported_media_type', () => post(stack, account.connectionId, gzip, packed)],
    ];
    for (const [status, code, send] of refused) {
      const lines = await logging(stack, async () => {
        const answer = await writingNothing(stack, send);
        expectError(answer, status, code);
        if (status === 413) expect(answer.json.error.message).to.include('5 MB');
      });
      expectOneLine(lines, { outcome: code, connection: null });
    }
  });

  it('refuses any other method and names the allowed one', async () => {
    const path = `/notifications/${accounts.paystack!.connectionId}`;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const send = () => rawRequest(stack, { method, path });
      const lines = await logging(stack, async () => {
        const answer = await expectRefusal(stack, send, 'method_not_allowed');
        expect(answer.headers.get('allow')).to.equal('POST');
      });
      expectOneLine(lines, { outcome: 'method_not_allowed', connection: null });
    }
  });

  it('stores nothing of an aborted request, and logs it in one line', async () => {
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

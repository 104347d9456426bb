import { connect } from 'node:net';
import { expect } from 'chai';
import { unverifiedBounds } from '../../../config/limits/unverified-bodies.ts';
import { startApiProcess } from '../../support/api-process.ts';
import { expectRefused } from '../../support/contract.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { accountsOf } from './given.ts';

const LENGTH = 5 * 1_024 * 1_024;
/** What 60 bodies may add to a process, which would take 300 MB. */
const GROWTH_MB = 150;

describe('An API process whose strangers hold their bodies back', () => {
  const stack = useStack({ workers: false, env: { trustProxy: 'loopback' } });
  it('60 connections that hold back the last byte take little memory and are cut off, and the provider is heard', async () => {
    const account = (await accountsOf(stack, stack.tenant.tenant_id)).paystack!;
    await using running = await startApiProcess(stack, ['--max-old-space-size=128']);
    async function holdBack(): Promise<number> {
      const socket = connect(Number(new URL(running.origin).port), '127.0.0.1');
      let answer = '';
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          answer += chunk;
        });
      socket.write(
        `POST /notifications/${account.connectionId} HTTP/1.1\r\nHost: localhost\r\n` +
          `X-Forwarded-For: 203.0.113.1\r\nContent-Length: ${LENGTH}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(LENGTH - 1, 'a'));
      await new Promise((resolve) => socket.once('close', resolve));
      return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
    }

    async function expectHeard(reference: string): Promise<void> {
      const path = `/notifications/${account.connectionId}`;
      const body = account.bodyOf(reference);
      const headers = { ...account.sign(body), 'x-forwarded-for': '198.51.100.7' };
      const answer = await rawRequest(running.origin, { method: 'POST', path, headers, body });
      expect(answer.status).to.equal(200);
    }

    await expectHeard('SV-1-abcdefgh');
    const beforeMb = await running.peakMb();
    const held = Array.from({ length: 60 }, holdBack);
    await expectHeard('SV-2-abcdefgh');
    const statuses = await Promise.all(held);
    // 0: the connection was closed before its client had read the answer.
    expect(statuses.filter((status) => ![0, 408, 503].includes(status))).to.deep.equal([]);
    expect(statuses.filter((status) => status === 408)).to.have.length.within(1, 4);
    expect((await running.peakMb()) - beforeMb).to.be.below(GROWTH_MB);
  });
});

describe('Where bodies are read before their sender is known', () => {
  const stack = useStack({ workers: false, env: { trustProxy: 'loopback' } });

  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const reads: [path: string, headers: Record<string, string>][] = [
    [`/notifications/con_${'0'.repeat(26)}`, json],
    ['/v1/auth/token', json],
    ['/v1/auth/refresh', json],
    ['/v1/auth/revoke', json],
    ['/dashboard/sign-in', form],
    ['/dashboard/mode', form],
    ['/dashboard/business', form],
    ['/dashboard/business/logo', { 'content-type': 'multipart/form-data; boundary=x' }],
    [`/set-password/${'0'.repeat(40)}`, form],
    [`/l/lnk_${'0'.repeat(26)}`, form],
  ];
  const post = (path: string, headers: Record<string, string>, network: string) =>
    rawRequest(stack, {
      method: 'POST',
      path,
      headers: { ...headers, origin: stack.origin, 'x-forwarded-for': network },
      body: '{}',
    });

  for (const [path, headers] of reads)
    it(`${path} answers 503 to a network that has too many bytes on their way, and to no other`, async () => {
      using held = stack.context.unverifiedBodies.hold({ network: '203.0.113.9' });
      while (held.take(1_000_000));
      while (held.take(0));
      const refused = await post(path, headers, '203.0.113.9');
      expect(refused.status).to.equal(503);
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
      if (!refused.headers.get('content-type')?.includes('html'))
        expectRefused(refused, 'unavailable');
      expect((await post(path, headers, '198.51.100.9')).status).not.to.equal(503);
      held[Symbol.dispose]();
      expect((await post(path, headers, '203.0.113.9')).status).not.to.equal(503);
    });

  it('a form with a file of 2 MB counts whole', async () => {
    const network = '203.0.113.9';
    using held = stack.context.unverifiedBodies.hold({ network });
    held.take(unverifiedBounds.network - 2_000_000);
    const large = { ...form, 'content-length': '2100000' };
    expect((await post('/dashboard/business', large, network)).status).to.equal(503);
    expect((await post('/dashboard/business', form, network)).status).not.to.equal(503);
  });
});

import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { recognise } from '../../../api/notifications/recognise.ts';
import type { StoredConnection } from '../../../domain/accounts/connection/connection.ts';
import type { Answer } from '../../support/api.ts';
import { expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { statementsOf } from '../../support/statements-of.ts';
import {
  type Account,
  accountsOf,
  chunkedTo,
  expectOneLine,
  logging,
  notify,
  post,
} from './given.ts';

const MB = 1024 * 1024;

interface Try {
  what: string;
  to: string;
  headers: Record<string, string>;
  reaches: string | null;
}

describe('A notification that no provider signed', () => {
  const stack = useStack({ workers: false }); // every statement is the request's
  let mine: Account[];
  let disabled: Account[];
  let tries: Try[];
  const body = '{"event":"charge.success","data":{"reference":"SV-100001-abcdefgh"}}';

  before(async () => {
    const tenants = [await stack.newTenant(), await stack.newTenant()];
    mine = Object.values(await accountsOf(stack, stack.tenant.tenant_id));
    const theirs = await accountsOf(stack, tenants[0]!.tenant_id);
    disabled = Object.values(await accountsOf(stack, tenants[1]!.tenant_id));
    await stack.sql`update connections set disabled_at = ${stack.clock()}
      where tenant_id = ${tenants[1]!.tenant_id}`;
    const headers = (account: Account, of: string | Buffer = body) => ({
      ...wrong,
      ...account.sign(of),
    });
    const none = [
      'con_01h455vb4pex5vsknk084sn02q',
      'con_x',
      'x'.repeat(300),
      `con_${'0'.repeat(26)}`,
    ];
    none.push('%00', '%zz', mine[0]!.connectionId.toUpperCase());
    const signed = headers(mine[0]!);
    const unknown = none.map((to) => ({ what: `to ${to}`, to, headers: signed, reaches: null }));
    const known = [...mine, ...disabled].flatMap(({ adapter, connectionId: to }) =>
      Object.entries({
        ...{ unsigned: {}, 'wrongly signed': wrong, 'with empty signatures': empty },
        'signed by another account': headers(theirs[adapter]!),
      }).map(([what, sent]) => ({
        what: `${what}, to ${adapter}`,
        to,
        headers: sent,
        reaches: to,
      })),
    );
    const other = mine
      .filter(({ adapter }) => adapter !== 'flutterwave') // whose hash does not sign the body
      .map((account) => ({ to: account.connectionId, headers: headers(account, `${body} `) }))
      .map((sent) => ({ what: 'signed, for other bytes', ...sent, reaches: sent.to }));
    tries = [...unknown, ...known, ...other];
  });

  const wrong = {
    'x-paystack-signature': 'a'.repeat(128),
    'verif-hash': 'a'.repeat(40),
    'monnify-signature': 'a'.repeat(128),
  };
  const empty = { 'x-paystack-signature': '', 'verif-hash': '', 'monnify-signature': '' };

  const shown = ({ status, headers, text }: Answer) => {
    const shownHeaders = [...headers].filter(([name]) => name !== 'request-id' && name !== 'date');
    return JSON.stringify({ status, headers: shownHeaders.sort(), text });
  };

  it('is refused with the same bytes after the same statements for every connection; only the log names the reason', async () => {
    const answers = new Map<string, string>();
    const work = new Map<string, string>();
    for (const { what, to, headers, reaches } of tries) {
      let answer: Answer | undefined;
      const lines = await logging(stack, () =>
        writingNothing(stack, async () => {
          const texts = await statementsOf(stack, async () => {
            answer = await post(stack, to, body, headers);
          });
          if (to !== '%zz') work.set(JSON.stringify(texts), what);
        }),
      );
      expectRefused(answer!, 'unauthorized');
      answers.set(shown(answer!), what);
      const secrets = [body, 'SV-100001', 'aaaa', ...Object.values(headers).filter(Boolean)];
      expectOneLine(lines, { outcome: 'unauthorized', connection: reaches }, secrets);
      const reason = reaches ? 'the signature is not valid' : 'no such connection';
      expect(lines[0]!.reason, what).to.equal(reason);
    }
    expect([...answers.values()], 'different answers').to.have.length(1);
    expect([...work.values()], 'different work').to.have.length(1);
  });

  it('is checked by an account of every provider once, whatever the connection', async () => {
    const rows = await stack.sql<StoredConnection>`select * from connections`;
    const looks = [undefined, ...rows].map((connection) => {
      const looked: string[] = [];
      const look = (all: IncomingHttpHeaders, name: string) => {
        looked.push(name);
        return all[name];
      };
      const headers = new Proxy<IncomingHttpHeaders>(wrong, {
        get: (all, name) => look(all, String(name)),
      });
      const found = recognise(stack.context, connection, { headers, body: Buffer.from(body) });
      expect(found).to.equal(undefined);
      return looked.sort().join();
    });
    expect(new Set(looks)).to.deep.equal(new Set([Object.keys(wrong).sort().join()]));
  });

  it('is refused after its last byte, for known and unknown connections', async () => {
    const [known, unknown] = [mine[0]!.connectionId, 'con_01h455vb4pex5vsknk084sn02q'].map((to) =>
      chunkedTo(stack, to, wrong),
    );
    let answered = 0;
    for (const one of [known!, unknown!]) {
      one.request.write(body);
      void one.answered.then(() => (answered += 1));
    }
    for (let others = 0; others < 5; others++)
      await post(stack, known!.request.path.slice('/notifications/'.length), body, {});
    expect(answered).to.equal(0);
    for (const { request } of [known!, unknown!]) request.end();
    const answers = await Promise.all([known!.answered, unknown!.answered]);
    expect(new Set(answers.map(shown)).size).to.equal(1);
  });

  it('is refused the same way for every connection when it is too long or compressed', async () => {
    const targets = [mine[0]!.connectionId, disabled[0]!.connectionId, 'con_x', '%00'];
    const refusals: [status: number, send: (to: string) => Promise<Answer>][] = [
      [413, (to) => post(stack, to, Buffer.alloc(5 * MB + 1, ' '), wrong)],
      [413, (to) => tooLong(to)],
      [415, (to) => post(stack, to, body, { ...wrong, 'content-encoding': 'gzip' })],
    ];
    for (const [status, send] of refusals) {
      const answers: Answer[] = [];
      for (const to of targets) answers.push(await writingNothing(stack, () => send(to)));
      expect(answers.map((answer) => answer.status)).to.deep.equal(targets.map(() => status));
      expect(new Set(answers.map(shown)).size).to.equal(1);
    }
  });
  const tooLong = (to: string) => {
    const { request, answered } = chunkedTo(stack, to, wrong);
    for (let mb = 0; mb < 6; mb++) request.write(Buffer.alloc(MB, ' '));
    request.end();
    return answered;
  };

  it('differs from signed ones, which a disabled connection accepts too: money may still arrive', async () => {
    for (const account of [...mine, ...disabled]) {
      const lines = await logging(stack, async () =>
        expect((await notify(stack, account, account.bodyOf('none'))).status).to.equal(200),
      );
      expectOneLine(lines, { outcome: 'received', connection: account.connectionId });
    }
  });

  it('is logged without the unknown path: a key may have been pasted there', async () => {
    const key = 'sk_live_0123456789abcdef';
    for (const to of [key, `${mine[0]!.connectionId}${key}`, `con_x?key=${key}`]) {
      const lines = await logging(stack, () => post(stack, to, body, {}));
      expectOneLine(lines, { outcome: 'unauthorized', connection: null }, [key]);
    }
  });
});

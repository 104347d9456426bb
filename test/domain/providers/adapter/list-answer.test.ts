import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { listen } from '../../../../config/listen.ts';
import {
  beginScan,
  callForList,
  resultOf,
  scanText,
  type Wanted,
} from '../../../../domain/providers/adapter/list-answer.ts';
import { answerCalls } from '../../../support/answer-calls.ts';
import { errorOf } from '../calls.ts';
import { serve } from '../serving.ts';

const wanted: Wanted = { list: 'data.rows', fields: ['id', 'name'], skip: 0, most: 3 };
const body = (rows: string, rest = '') => `{"status":"good","data":{"id":7,"rows":${rows}}${rest}}`;

const read = (url: string, part: Partial<Wanted> = {}, timeoutMs = 2_000) =>
  callForList({ url, headers: {}, timeoutMs, stage: 'read' }, { ...wanted, ...part });

async function readFrom(pieces: string | Iterable<string | Buffer>, part: Partial<Wanted> = {}) {
  await using server = await serve(() => (typeof pieces === 'string' ? [pieces] : pieces));
  return await read(server.url, part);
}

async function readOf(behave: RequestListener, timeoutMs = 2_000) {
  const server = createServer(behave);
  await using listening = await listen(server, 0, '127.0.0.1');
  try {
    return await read(`http://127.0.0.1:${listening.port}`, {}, timeoutMs);
  } finally {
    server.closeAllConnections();
  }
}

function cutAt(whole: string, cut: number, part: Wanted) {
  const scan = beginScan(part);
  for (const piece of [whole.slice(0, cut), whole.slice(cut)]) scanText(scan, piece);
  return resultOf(scan);
}

describe('A list read as a stream', () => {
  it('gives the requested fields of its rows, and what is outside the list', async () => {
    const answer = await readFrom(
      body('[{"id":1,"name":"a","more":[{"id":9}],"inner":{"name":"x"}},{"name":null,"id":true}]'),
    );
    expect(answer).to.deep.equal({
      ...{ stage: 'read', status: 200, raw: '', retryAfterMs: null, hasMore: false },
      json: { status: 'good', data: { id: 7, rows: [] } },
      rows: [
        { id: '1', name: 'a' },
        { id: true, name: null },
      ],
    });
  });

  it('is read where the provider compressed it, and refused where that breaks off', async () => {
    const zipped = gzipSync(body('[{"id":1,"name":"a"}]'));
    const answerWith = (bytes: Buffer) =>
      readOf((request, response) => {
        expect(request.headers['accept-encoding']).to.equal('gzip');
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
      });
    expect((await answerWith(zipped)).rows).to.deep.equal([{ id: '1', name: 'a' }]);
    expect((await errorOf(answerWith(zipped.subarray(0, -9)))).kind).to.equal('unknown');
    const refusal = readOf((_request, response) =>
      response.writeHead(401, { 'content-encoding': 'GZIP' }).end(gzipSync('{"message":"no"}')),
    );
    expect((await refusal).json).to.deep.equal({ message: 'no' });
  });

  it('that is refused without a body is a refusal, also where that is called compressed', async () => {
    for (const length of [{ 'content-length': 0 }, {}]) {
      const refusal = readOf((_request, response) => {
        response.writeHead(401, { 'content-encoding': 'gzip', ...length }).flushHeaders();
        response.end();
      });
      expect(await refusal).to.include({ status: 401, raw: '' });
    }
  });

  it('keeps every digit of a number and every character of a text', async () => {
    const rows =
      '[{"id":18446744073709551615,"name":122000.10},{"id":-0.5,"name":1e3},{"id":0,"name":"\\"\\u20a6 \\ud83d\\ude00 ₦é\\n"}]';
    expect((await readFrom(body(rows))).rows).to.deep.equal([
      { id: '18446744073709551615', name: '122000.10' },
      { id: '-0.5', name: '1e3' },
      { id: '0', name: '"₦ 😀 ₦é\n' },
    ]);
  });

  it('is the same wherever the answer is cut into chunks', async () => {
    const whole = body(
      '[{"id":1234567,"name":"é\\u00e9\\\\ \\ud83d\\ude00"},{"id":-1.25e2,"name":false}]',
      ',"x":[true,null,"y"]',
    );
    const { rows } = await readFrom(whole);
    expect(rows).to.have.length(2);
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(cutAt(whole, cut, wanted).rows, whole.slice(0, cut)).to.deep.equal(rows);
    }
    const bytes = Array.from(Buffer.from(whole), (byte) => Buffer.from([byte]));
    expect((await readFrom(bytes)).rows).to.deep.equal(rows);
  });

  it('skips rows, keeps as many as requested, and states whether there are more', async () => {
    const rows = body('[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]');
    const idsOf = async (skip: number, most: number) => {
      const { rows: found, hasMore } = await readFrom(rows, { skip, most });
      return [found!.map(({ id }) => id).join(), hasMore];
    };
    expect(await idsOf(0, 2)).to.deep.equal(['1,2', true]);
    expect(await idsOf(2, 2)).to.deep.equal(['3,4', true]);
    expect(await idsOf(3, 2)).to.deep.equal(['4,5', false]);
    expect(await idsOf(0, 5)).to.deep.equal(['1,2,3,4,5', false]);
    expect(await idsOf(5, 2)).to.deep.equal(['', false]);
  });

  it('is the same wherever it is cut, whatever texts and lists its rows hold', () => {
    const odd = '{"name":"]},{\\"[\\\\","x":[{"y":"}"},[]],"id":1}';
    const whole = body(`[ ${odd} ,\n${odd.replace('"id":1', '"id":2')},{"id":3,"z":{}}]`);
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(cutAt(whole, cut, { ...wanted, skip: 1, most: 1 }), whole.slice(0, cut)).to.deep.equal(
        {
          ...{ rows: [{ name: ']},{"[\\', id: '2' }], hasMore: true },
          json: { status: 'good', data: { id: 7, rows: [] } },
        },
      );
    }
  });

  it('is read only from its own path, and so are its fields', async () => {
    const odd =
      '{"data.rows":[{"id":1}],"rows":[{"id":2}],"x":{"data":{"rows":[{"id":3}]}},"data":[{"rows":[{"id":4}]}],"status":{"status":1}}';
    expect(await readFrom(odd)).to.include({ rows: undefined, hasMore: false });
    expect((await readFrom(body('{"*":{"id":1}}'))).rows).to.equal(undefined);
    expect(
      (await readFrom(body('[{"id":[1],"x":{"id":2},"name.id":3,"id.x":4}]'))).rows,
    ).to.deep.equal([{}]);
    const bad = { data: null, status: 'bad' };
    expect((await readFrom(JSON.stringify(bad))).json).to.deep.equal(bad);
  });

  it('gives an answer other than a 2xx like any call', async () => {
    const answer = await readOf((_request, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end('{"message":"slow down"}'),
    );
    expect(answer).to.deep.equal({
      ...{ stage: 'read', status: 429, retryAfterMs: 7_000, rows: undefined, hasMore: false },
      ...{ json: { message: 'slow down' }, raw: '{"message":"slow down"}' },
    });
    await using server = await serve(() => Array(48).fill(' '.repeat(65_536)), 500);
    const { message } = await errorOf(read(server.url));
    expect(message).to.equal('the answer is longer than 2097152 bytes');
  });
});

describe('An incomplete list', () => {
  const whole = body('[{"id":1},{"id":2}]');
  const broken: [what: string, text: string][] = [
    ['nothing', ''],
    ['a page of something else', '<html>'],
    ['a number', '7'],
    ['an array', '[{"id":1}]'],
    ['two objects', `${whole}{}`],
    ['a row that is a number', body('[{"id":1},2]')],
    ['a row that is a list', body('[[{"id":1}]]')],
    ['a row that is null', body('[null]')],
    ['two lists', body('[],"rows":[{"id":1}]')],
    ['a comma too many', body('[{"id":1},]')],
    ['the list closed by a brace', body('[{"id":1}}')],
    ['a row whose brackets do not match', body('[{"id":1,"x":[}]}]')],
    ['a row that is no JSON', body('[{"id":1,,"name":"a"}]')],
    ['a number that is none', body('[{"id":01}]')],
    ['rows without a comma', body('[{"id":1}{"id":2}]')],
    ['a row without end', body(`[{"x":"${'x'.repeat(5_000_001)}"}]`)],
    ['a control character in a text', body('[{"id":"\n"}]')],
    ['a wanted field that has no end', body(`[{"name":"${'x'.repeat(10_001)}"}]`)],
    ['a wanted number that has no end', body(`[{"id":${'9'.repeat(10_001)}}]`)],
    ['levels without end', body('[]', `,"x":${'['.repeat(100)}${']'.repeat(100)}`)],
  ];
  for (const [what, text] of broken) {
    it(`is never taken for a complete one: ${what}`, async () => {
      expect(await errorOf(readFrom(text))).to.include({ kind: 'unknown', stage: 'read' });
    });
  }

  it('is never taken for a complete one, wherever it is cut off', async () => {
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.slice(0, length);
      expect((await errorOf(readFrom(cut))).kind, cut).to.equal('unknown');
    }
  });

  it('ends with the time-out, also in the middle of the list', async () => {
    const dwell: RequestListener = (_request, response) =>
      void response.writeHead(200).write(whole.slice(0, -5));
    const late = { kind: 'unknown', message: 'no answer within 150 ms' };
    expect(await errorOf(readOf(dwell, 150))).to.include(late);
  });

  it('is not read without end', async () => {
    const blank = ' '.repeat(65_536);
    await using server = await serve(() => Array(1_000).fill(blank));
    const request = { url: server.url, headers: {}, timeoutMs: 2_000, stage: 'read' };
    const long = { kind: 'unknown', message: 'the answer is longer than 1000000 bytes' };
    expect(await errorOf(callForList(request, wanted, 1_000_000))).to.include(long);
    expect(await server.lengths[0]).to.be.below(500 * blank.length);
  });

  it('is an error of unknown effect where the network breaks after the request', async () => {
    for (const [syscall, kind] of [
      ['connect', 'retryable'],
      ['read', 'unknown'],
      ['write', 'unknown'],
    ]) {
      using _answering = answerCalls(async () => {
        const message = `${syscall} EHOSTUNREACH`;
        throw Object.assign(new Error(message), { code: 'EHOSTUNREACH', syscall });
      });
      expect((await errorOf(read('http://provider.example'))).kind).to.equal(kind);
    }
  });
});

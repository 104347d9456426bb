import { createHmac, timingSafeEqual } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../../../domain/accounts/token/credentials.ts';
import { signatureHeaders } from '../../../domain/webhooks/signature.ts';

type Verifier = (headers: Record<string, string>, body: string, secret: string) => boolean;

/** A verifier that a merchant writes from the contract alone: any `v1` may match. */
function verifyPlainly(headers: Record<string, string>, body: string, secret: string): boolean {
  const parts = headers['service-signature']!.split(',').map(
    (part) => part.split('=') as [string, string],
  );
  const timestamp = parts.find(([name]) => name === 't')?.[1];
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  return parts.some(
    ([name, hex]) =>
      name === 'v1' && hex.length === 64 && timingSafeEqual(Buffer.from(hex, 'hex'), expected),
  );
}

function verifyByStandard(headers: Record<string, string>, body: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const body = '{"id":"evt_1","data":{"amount_kobo":150000,"name":"Adé ₦"}}';
const verifiers: [name: string, verify: Verifier, covered: string[]][] = [
  ['Service-Signature', verifyPlainly, ['service-signature']],
  [
    'the Standard Webhooks library',
    verifyByStandard,
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  ],
];

for (const [name, verify, covered] of verifiers) {
  describe(`A signed webhook, verified by ${name}`, () => {
    const [secret, old] = [newWebhookSecret(), newWebhookSecret()];
    let timestamp: number;
    let headers: ReturnType<typeof signatureHeaders>;
    // Not when the file is read: the library takes five minutes, and the whole suite may take
    // longer.
    before(() => {
      timestamp = Math.floor(Date.now() / 1000);
      headers = signatureHeaders({ eventId: 'evt_1', body, timestamp }, [secret]);
    });

    it('is accepted', () => {
      expect(verify(headers, body, secret)).to.equal(true);
    });

    it('is refused with any byte of the body changed, added or cut off', () => {
      for (let index = 0; index < body.length; index++) {
        const other =
          body.slice(0, index) +
          String.fromCharCode(body.charCodeAt(index) ^ 1) +
          body.slice(index + 1);
        expect(verify(headers, other, secret), other).to.equal(false);
      }
      for (const other of [`${body} `, body.slice(0, -1), ''])
        expect(verify(headers, other, secret)).to.equal(false);
    });

    it('is refused with another time, id or signature', () => {
      for (const header of covered) {
        const value = headers[header]!;
        const index = header === 'service-signature' ? 3 : value.length - 3;
        const changed =
          value.slice(0, index) + (value[index] === '1' ? '2' : '1') + value.slice(index + 1);
        expect(verify({ ...headers, [header]: changed }, body, secret), header).to.equal(false);
      }
    });

    it('is refused with another secret', () => {
      expect(verify(headers, body, newWebhookSecret())).to.equal(false);
    });

    it('is accepted with both secrets during a rotation, and with no third one', () => {
      const rotating = signatureHeaders({ eventId: 'evt_1', body, timestamp }, [secret, old]);
      expect(
        [secret, old, newWebhookSecret()].map((key) => verify(rotating, body, key)),
      ).to.deep.equal([true, true, false]);
    });
  });
}

describe('Signature headers', () => {
  it('have the form the contract gives', () => {
    const headers = signatureHeaders({ eventId: 'evt_1', body, timestamp: 1_767_225_600 }, [
      newWebhookSecret(),
    ]);
    expect(headers['service-signature']).to.match(/^t=1767225600,v1=[0-9a-f]{64}$/);
    expect(headers).to.include({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1767225600' });
    expect(headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('match fixed values for a fixed secret, time and body', () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const headers = signatureHeaders({ eventId: 'evt_1', body: '{}', timestamp: 1 }, [secret]);
    expect(headers['service-signature']).to.equal(
      't=1,v1=e876c9640cd2b6e3d723cab447e42eda8131aafa1c42bc1f4e78b8c59eda3fd7',
    );
    expect(headers['webhook-signature']).to.equal(
      'v1,4gsSsE8t+iAjdZRsCsUbPEYyxzkm09MjU4WaFIp/OF0=',
    );
  });
});

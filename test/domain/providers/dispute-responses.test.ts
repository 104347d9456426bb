import { expect } from 'chai';
import { errorOf, type Reply } from './calls.ts';
import { disputeResponse, options } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as paystack from './paystack/examples.ts';

describe('An answer to a dispute at Paystack', () => {
  const resolved: Reply = [200, paystack.good({ status: 'resolved' })];
  const given: Reply = [201, paystack.good({ id: 21, dispute: 358950 })];
  const accountAt = (...replies: Reply[]) => {
    const upload = { signedUrl: '', fileName: 'qesp8a4df1xejihd9x5q' };
    const opened = paystack.accountAt([200, paystack.good(upload)], [200, ''], ...replies);
    upload.signedUrl = `${opened.baseUrl}/files/qesp?signature=1`;
    return opened;
  };

  it('is the evidence with what it says as a file, and then the resolution that names both', async () => {
    const { account, requests, bodies } = accountAt(given, resolved);
    await account.respondToDispute(disputeResponse, options);
    expect(requests).to.deep.equal([
      'GET /dispute/358950/upload_url?upload_filename=statement.txt',
      'PUT /files/qesp?signature=1',
      'POST /dispute/358950/evidence',
      'PUT /dispute/358950/resolve',
    ]);
    const [file, ...sent] = bodies;
    expect(file).to.equal(
      'Two tickets, used at the door.\n\nCustomer: Ada Obi, ada@example.com, +2348012345678\n' +
        'Delivered to: 3a Ladoke Street\nDelivered on: 2026-03-01\n',
    );
    const service_details = 'Two tickets, used at the door.';
    expect(sent.map((body) => JSON.parse(body))).to.deep.equal([
      {
        ...{ customer_email: 'ada@example.com', customer_name: 'Ada Obi', service_details },
        ...{ customer_phone: '+2348012345678', delivery_address: '3a Ladoke Street' },
        delivery_date: '2026-03-01',
      },
      {
        ...{ resolution: 'declined', message: service_details, refund_amount: 0 },
        ...{ uploaded_filename: 'qesp8a4df1xejihd9x5q', evidence: 21 },
      },
    ]);
  });

  it('has the merchant’s own file in the place of what it says', async () => {
    const { account, requests, bodies } = accountAt(given, resolved);
    const file = { type: 'jpeg', bytes: Buffer.from('a picture') } as const;
    await account.respondToDispute({ ...disputeResponse, file }, options);
    expect(requests[0]).to.include('upload_filename=evidence.jpg');
    expect(bodies[0]).to.equal('a picture');
  });

  it('leaves out the evidence where Paystack would not take it for what is missing', async () => {
    for (const missing of [{ email: null }, { name: null }, { phone: null }]) {
      const { account, requests } = accountAt(resolved);
      const customer = { ...disputeResponse.customer, ...missing };
      await account.respondToDispute({ ...disputeResponse, customer }, options);
      expect(requests.at(-1)).to.equal('PUT /dispute/358950/resolve');
      expect(requests).to.have.length(3);
    }
  });

  it('accepts the claim with its whole amount', async () => {
    const { account, bodies } = accountAt(resolved);
    await account.respondToDispute({ ...disputeResponse, kind: 'acceptance' }, options);
    expect(JSON.parse(bodies.at(-1)!)).to.include({
      ...{ resolution: 'merchant-accepted', refund_amount: 500_000 },
    });
  });

  it('puts no file at an address that is not public, and says so', async () => {
    for (const signedUrl of [
      ...['http://files.example/a', 'https://127.0.0.1/a', 'https://localhost/a', 'files/a', null],
      ...['https://[fd00:ec2::254]/a', 'https://user@files.example/a', 'ftp://files.example/a'],
    ]) {
      const upload: Reply = [200, paystack.good({ signedUrl, fileName: 'qesp' })];
      const { account, requests } = paystack.accountAt(upload);
      const error = await errorOf(account.respondToDispute(disputeResponse, options));
      expect(error, String(signedUrl)).to.include({ kind: 'refused' });
      expect(error.message).to.include('no public address');
      expect(requests).to.have.length(1);
    }
  });

  it('is sent again where its file was not taken', async () => {
    const upload = { signedUrl: '', fileName: 'qesp' };
    const opened = paystack.accountAt([200, paystack.good(upload)], [403, '']);
    upload.signedUrl = `${opened.baseUrl}/files`;
    const error = await errorOf(opened.account.respondToDispute(disputeResponse, options));
    expect(error).to.include({ kind: 'retryable', message: 'the file was not taken (HTTP 403)' });
  });
});

describe('An answer to a chargeback at Flutterwave', () => {
  it('has its file uploaded first, and names it', async () => {
    const proof = 'https://cdn.filestackcontent.com/UQbCwqvSvyf2AsTffV2D';
    const { account, requests, bodies } = flutterwave.accountAt(
      [200, flutterwave.good(proof)],
      [200, flutterwave.good({ id: 358950, status: 'declined' })],
    );
    const file = { type: 'png', bytes: Buffer.from('a picture') } as const;
    await account.respondToDispute({ ...disputeResponse, file }, options);
    expect(requests).to.deep.equal(['POST /upload_image', 'PUT /chargebacks/358950']);
    expect(JSON.parse(bodies[1]!)).to.include({ action: 'decline', prooflink: proof });
  });

  it('is one call with all that it says', async () => {
    const ok: Reply = [200, flutterwave.good({ id: 358950, status: 'declined' })];
    const { account, requests, bodies } = flutterwave.accountAt(ok, ok);
    await account.respondToDispute(disputeResponse, options);
    const delivery = { address: null, date: null };
    await account.respondToDispute({ ...disputeResponse, kind: 'acceptance', delivery }, options);
    expect(requests).to.deep.equal(Array(2).fill('PUT /chargebacks/358950'));
    const comment = 'Two tickets, used at the door.';
    expect(bodies.map((body) => JSON.parse(body))).to.deep.equal([
      {
        action: 'decline',
        comment: `${comment} Delivered to: 3a Ladoke Street. Delivered on: 2026-03-01.`,
      },
      { action: 'accept', comment },
    ]);
  });
});

import { expect } from 'chai';
import { type Fixture, openFixture } from './fixture.ts';
import type { Json } from './json.ts';

async function settle(fixture: Fixture, fields: object = {}): Promise<Json> {
  const { status, body } = await fixture.control('POST', '/settle', fields);
  expect(status, JSON.stringify(body)).to.equal(200);
  expect(body.data).to.have.length(1);
  return body.data[0];
}

describe('sandbox: changes that no payout can have', () => {
  it('are refused, and nothing is paid out', async () => {
    await using fixture = await openFixture();
    const settled = await fixture.sale();
    await settle(fixture, { foreign: [{ reference: 'INV-1', amount_kobo: 100 }] });
    const waiting = await fixture.sale();
    const nosuch = 'SV-1-nosuch00';
    const invoice = { reference: 'INV-2', amount_kobo: 1 };
    const rows: [fields: object, status: number, problem: string][] = [
      [{ leave_out: [nosuch] }, 404, `leave_out.0: no payment of reference ${nosuch}`],
      [
        { amount_off_kobo: [{ reference: nosuch, kobo: 1 }] },
        ...([404, `amount_off_kobo.0: no payment of reference ${nosuch}`] as [number, string]),
      ],
      [
        { foreign: [{ reference: 'SV-1-abcdefgh', amount_kobo: 1 }] },
        ...([400, 'foreign.0.reference must not be of the form SV-'] as [number, string]),
      ],
      [{ account_id: 1 }, 404, 'account_id 1 is no account here'],
      [{ leave_out: [settled] }, 409, `leave_out.0: reference ${settled} waits for no payout here`],
      [{ fee_off_kobo: [{ reference: settled, kobo: 1 }] }, 409, 'fee_off_kobo.0: '],
      [
        { leave_out: [waiting], amount_off_kobo: [{ reference: waiting, kobo: 1 }] },
        ...([400, `amount_off_kobo.0: reference ${waiting} is left out`] as [number, string]),
      ],
      [
        { amount_off_kobo: [{ reference: waiting, kobo: -500_000 }] },
        400,
        'amount_off_kobo.0.kobo',
      ],
      [{ fee_off_kobo: [{ reference: waiting, kobo: -500_000 }] }, 400, 'fee_off_kobo.0.kobo '],
      [{ foreign: [invoice, invoice] }, 409, 'foreign.1: '],
      [
        { foreign: [{ ...invoice, reference: 'INV-1' }] },
        ...([409, 'foreign.0: reference INV-1 is used already'] as [number, string]),
      ],
    ];
    for (const [fields, status, problem] of rows) {
      const reply = await fixture.control('POST', '/settle', fields);
      expect(reply.body.error, JSON.stringify(fields)).to.include(problem);
      expect(reply.status, problem).to.equal(status);
    }
    expect(await settle(fixture)).to.include({ line_count: 1 });
  });
});

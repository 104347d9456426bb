import { expect } from 'chai';
import { type Ledger, openLedger } from '../../domain/ledger.ts';
import {
  openSettlementFixture,
  type SettlementFixture,
} from '../../domain/settlements/settlement/fixture.ts';
import { DAY } from '../../support/clock.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';

const content =
  openApi.webhooks['settlement.landed']!.post.requestBody!.content['application/json']!;
const place = pointerOf(
  'webhooks',
  'settlement.landed',
  'post',
  'requestBody',
  'content',
  'application/json',
  'schema',
);

describe('The event settlement.landed', () => {
  let ledger: Ledger;
  let fixture: SettlementFixture;
  beforeEach(async () => {
    ledger = await openLedger();
    fixture = await openSettlementFixture(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  const events = () =>
    ledger.rows<{ body: string }>(
      `select body from events where type = 'settlement.landed' order by id`,
    );

  it('is documented with the settlement object, whose example adds up', () => {
    const { data } = content.example as { data: Record<string, number> };
    expect(data).to.include({ object: 'settlement', status: 'landed', shortfall_kobo: 0 });
    expect(data.expected_amount_kobo).to.equal(
      data.gross_kobo! -
        data.fee_kobo! -
        data.refunds_kobo! -
        data.chargebacks_kobo! +
        data.foreign_kobo!,
    );
    expect(
      problemsWith({ ...(content.example as object), data: { object: 'settlement' } }, place),
    ).not.to.deep.equal([]);
  });

  for (const { what, landedKobo, status } of [
    { what: 'whole', landedKobo: 482_500, status: 'landed' },
    { what: 'short', landedKobo: 480_000, status: 'short' },
  ]) {
    it(`is sent as documented, and once, when one landed ${what}`, async () => {
      const payment = await fixture.pay();
      ledger.clock.advance(DAY);
      fixture.payOut([payment], { amountKobo: landedKobo });
      for (let run = 0; run < 2; run++) await fixture.reconcile();
      const [event, ...more] = await events();
      expect(more).to.deep.equal([]);
      expect(problemsWith(JSON.parse(event!.body), place), event!.body).to.deep.equal([]);
      const amounts = {
        expected_amount_kobo: 482_500,
        landed_amount_kobo: landedKobo,
        gross_kobo: 500_000,
        fee_kobo: 17_500,
      };
      expect(JSON.parse(event!.body).data).to.include({
        status,
        shortfall_kobo: 482_500 - landedKobo,
        ...amounts,
      });
    });
  }
});

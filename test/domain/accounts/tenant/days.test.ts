import { expect } from 'chai';
import { type Days, intervalOf } from '../../../../domain/accounts/tenant/days.ts';
import { useLedger } from '../../ledger.ts';

describe('Days of a tenant', () => {
  const ledger = useLedger();

  /** Start and end as ISO times, in a time zone. */
  async function instantsOf(days: Days, timeZone: string): Promise<(string | undefined)[]> {
    const [tenant] = await ledger.rows<{ id: string }>(
      'update tenants set time_zone = $1 returning id',
      timeZone,
    );
    const { start, end } = await intervalOf(ledger.db, tenant!.id, days);
    return [start, end].map((instant) => instant?.toISOString());
  }

  for (const [what, timeZone, day, start, end] of [
    [
      'in Lagos, an hour before UTC',
      'Africa/Lagos',
      '2026-03-01',
      '2026-02-28T23:00:00.000Z',
      '2026-03-01T23:00:00.000Z',
    ],
    [
      'the leap day',
      'Africa/Lagos',
      '2028-02-29',
      '2028-02-28T23:00:00.000Z',
      '2028-02-29T23:00:00.000Z',
    ],
    [
      "the year's last",
      'Africa/Lagos',
      '2026-12-31',
      '2026-12-30T23:00:00.000Z',
      '2026-12-31T23:00:00.000Z',
    ],
    [
      'of 23 hours',
      'Europe/London',
      '2026-03-29',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T23:00:00.000Z',
    ],
    [
      'of 25 hours',
      'Europe/London',
      '2026-10-25',
      '2026-10-24T23:00:00.000Z',
      '2026-10-26T00:00:00.000Z',
    ],
    [
      'of 23 hours in New York',
      'America/New_York',
      '2026-03-08',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
    ],
    [
      'without a midnight',
      'Africa/Cairo',
      '2024-04-26',
      '2024-04-25T22:00:00.000Z',
      '2024-04-26T21:00:00.000Z',
    ],
    [
      'with two midnights',
      'America/Havana',
      '2025-11-02',
      '2025-11-02T04:00:00.000Z',
      '2025-11-03T05:00:00.000Z',
    ],
    [
      'before one with two midnights',
      'America/Havana',
      '2025-11-01',
      '2025-11-01T04:00:00.000Z',
      '2025-11-02T04:00:00.000Z',
    ],
    [
      'that a zone left out',
      'Pacific/Apia',
      '2011-12-30',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
    ],
    [
      'moved by half an hour',
      'Australia/Lord_Howe',
      '2026-04-05',
      '2026-04-04T13:00:00.000Z',
      '2026-04-05T13:30:00.000Z',
    ],
  ] as const) {
    it(`${what}: ${day} in ${timeZone}`, async () => {
      expect(await instantsOf({ from: day, to: day }, timeZone)).to.deep.equal([start, end]);
    });
  }

  it('run from the first to the last, both inclusive, and are unbounded where none is given', async () => {
    const [start, end] = ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'];
    expect(
      await instantsOf({ from: '2026-02-01', to: '2026-02-28' }, 'Africa/Lagos'),
    ).to.deep.equal([start, end]);
    expect(await instantsOf({ from: '2026-02-01' }, 'Africa/Lagos')).to.deep.equal([
      start,
      undefined,
    ]);
    expect(await instantsOf({ to: '2026-02-28' }, 'Africa/Lagos')).to.deep.equal([undefined, end]);
    expect(await instantsOf({}, 'Africa/Lagos')).to.deep.equal([undefined, undefined]);
  });

  it('may lie in the first and the last year', async () => {
    expect(await instantsOf({ from: '0001-01-01', to: '9999-12-31' }, 'UTC')).to.deep.equal([
      '0001-01-01T00:00:00.000Z',
      '+010000-01-01T00:00:00.000Z',
    ]);
  });
});

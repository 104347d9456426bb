import { expect } from 'chai';
import { type Days, intervalOf, monthOf } from '../../../../domain/accounts/tenant/days.ts';
import { useLedger } from '../../ledger.ts';

describe('Days of a tenant', () => {
  const ledger = useLedger();

  async function instantsOf(days: Days, timeZone: string): Promise<(string | undefined)[]> {
    const [tenant] = await ledger.rows<{ id: string }>(
      'update tenants set time_zone = $1 returning id',
      timeZone,
    );
    const { start, end } = await intervalOf(ledger.db, tenant!.id, days);
    return [start, end].map((instant) => instant?.toISOString());
  }

  /** In UTC, without seconds. */
  const days: [what: string, timeZone: string, day: string, start: string, end: string][] = [
    ['in Lagos, an hour before UTC', 'Africa/Lagos', '2026-03-01', '02-28T23:00', '03-01T23:00'],
    ['the leap day', 'Africa/Lagos', '2028-02-29', '02-28T23:00', '02-29T23:00'],
    ["the year's last", 'Africa/Lagos', '2026-12-31', '12-30T23:00', '12-31T23:00'],
    ['of 23 hours', 'Europe/London', '2026-03-29', '03-29T00:00', '03-29T23:00'],
    ['of 25 hours', 'Europe/London', '2026-10-25', '10-24T23:00', '10-26T00:00'],
    ['of 23 in New York', 'America/New_York', '2026-03-08', '03-08T05:00', '03-09T04:00'],
    ['without a midnight', 'Africa/Cairo', '2024-04-26', '04-25T22:00', '04-26T21:00'],
    ['with two midnights', 'America/Havana', '2025-11-02', '11-02T04:00', '11-03T05:00'],
    ['before one with two', 'America/Havana', '2025-11-01', '11-01T04:00', '11-02T04:00'],
    ['that a zone left out', 'Pacific/Apia', '2011-12-30', '12-30T10:00', '12-30T10:00'],
    ['moved by half an hour', 'Australia/Lord_Howe', '2026-04-05', '04-04T13:00', '04-05T13:30'],
  ];
  it('begin and end with the day of its time zone', async () => {
    for (const [what, timeZone, day, start, end] of days) {
      const utc = (time: string) => `${day.slice(0, 4)}-${time}:00.000Z`;
      const instants = await instantsOf({ from: day, to: day }, timeZone);
      expect(instants, what).to.deep.equal([utc(start), utc(end)]);
    }
  });

  it('run from the first to the last, both inclusive, and are unbounded where none is given', async () => {
    const [start, end] = ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'];
    for (const [days, instants] of [
      [{ from: '2026-02-01', to: '2026-02-28' }, [start, end]],
      [{ from: '2026-02-01' }, [start, undefined]],
      [{ to: '2026-02-28' }, [undefined, end]],
      [{}, [undefined, undefined]],
    ] as const)
      expect(await instantsOf(days, 'Africa/Lagos')).to.deep.equal(instants);
  });

  it('may lie in the first and the last year', async () => {
    expect(await instantsOf({ from: '0001-01-01', to: '9999-12-31' }, 'UTC')).to.deep.equal([
      '0001-01-01T00:00:00.000Z',
      '+010000-01-01T00:00:00.000Z',
    ]);
  });
});

describe('Months of a tenant', () => {
  const ledger = useLedger();

  /** Bounds in UTC without seconds, and the zone. */
  const bounds = async (month: string) => {
    const [{ id }] = await ledger.rows('select id from tenants');
    const { start, end, timeZone } = await monthOf(ledger.db, id, month);
    return [...[start, end].map((instant) => instant.toISOString().slice(0, 16)), timeZone];
  };
  const moveTo = async (timeZone: string, until: string) => {
    await ledger.rows(
      `insert into former_time_zones select id, $1, time_zone from tenants`,
      new Date(until),
    );
    await ledger.rows('update tenants set time_zone = $1', timeZone);
  };

  it('keep the bounds they had when the tenant moves, and leave nothing between them', async () => {
    const march = ['2026-02-28T23:00', '2026-03-31T23:00', 'Africa/Lagos'];
    expect(await bounds('2026-03')).to.deep.equal(march);
    await moveTo('Pacific/Kiritimati', '2026-04-10T12:00:00Z');
    await moveTo('Pacific/Pago_Pago', '2026-06-30T12:00:00Z');
    expect(await bounds('2026-03')).to.deep.equal(march);
    const [, endOfMarch] = march;
    expect(await bounds('2026-04')).to.deep.equal([
      ...[endOfMarch, '2026-04-30T10:00', 'Pacific/Kiritimati'],
    ]);
    // July began in Kiritimati. The half day that followed in Pago Pago, of June again, is of July.
    expect(await bounds('2026-06')).to.deep.equal([
      ...['2026-05-31T10:00', '2026-06-30T10:00', 'Pacific/Kiritimati'],
    ]);
    expect(await bounds('2026-07')).to.deep.equal([
      ...['2026-06-30T10:00', '2026-08-01T11:00', 'Pacific/Pago_Pago'],
    ]);
  });
});

import { expect } from 'chai';
import { openDatabaseClock } from '../../../config/database/database-clock.ts';
import type { Logger } from '../../../config/logger.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { newDatabase } from '../../support/postgres.ts';

const AT_MS = Date.UTC(2026, 10, 26, 12);

describe('The clock of a process', () => {
  let machineMs: number;
  let databaseMs: number;
  let lines: string[];
  beforeEach(() => {
    machineMs = databaseMs = AT_MS;
    lines = [];
  });
  const sql = { query: async () => [{ at: databaseMs }] } as unknown as Sql;
  const note = (message: string) => lines.push(message);
  const log = { info: note, warn: note } as unknown as Logger;
  const open = (on = sql) => openDatabaseClock(on, log, () => machineMs);

  for (const wrongMs of [-45_000, 45_000])
    it(`is the database's from the start where the machine's is ${wrongMs / 1_000} s off`, async () => {
      machineMs += wrongMs;
      using clock = await open();
      expect(clock.now().getTime()).to.be.within(databaseMs, databaseMs + 500);
      machineMs += 1_000;
      expect(clock.now().getTime()).to.be.within(databaseMs + 1_000, databaseMs + 1_500);
      expect(lines).to.deep.equal(['clock differs from the database']);
    });

  it('is corrected when the machine’s clock jumps, and when it is set right', async () => {
    using clock = await open();
    machineMs -= 90_000;
    await clock.ask();
    await clock.ask();
    expect(clock.now().getTime()).to.be.within(AT_MS, AT_MS + 500);
    machineMs += 90_000;
    await clock.ask();
    expect([clock.now().getTime(), clock.offsetMs()]).to.deep.equal([AT_MS, 0]);
    const told = ['clock differs from the database', 'clock agrees with the database again'];
    expect(lines).to.deep.equal(told);
  });

  it('does not jump by the little that clocks set by NTP differ', async () => {
    machineMs += 400;
    using clock = await open();
    expect([clock.now().getTime(), clock.offsetMs(), lines]).to.deep.equal([machineMs, 0, []]);
  });

  it('is the machine’s, as last corrected, while the database is away', async () => {
    let isAway = true;
    const sometimes = async () => {
      if (isAway) throw new Error('away');
      return [{ at: databaseMs }];
    };
    machineMs += 5_000;
    using clock = await open({ query: sometimes } as unknown as Sql);
    expect(clock.now().getTime()).to.equal(machineMs);
    isAway = false;
    await clock.ask();
    isAway = true;
    expect(await clock.ask().catch(({ message }: Error) => message)).to.equal('away');
    expect(clock.now().getTime()).to.be.within(AT_MS, AT_MS + 500);
  });

  it('is read of PostgreSQL', async () => {
    await using database = openDatabase(await newDatabase());
    using clock = await openDatabaseClock(database.sql, log, () => Date.now() + 60_000);
    expect(clock.now().getTime() - Date.now()).to.be.within(-1_000, 1_000);
    expect(clock.offsetMs()).to.be.within(-61_000, -59_000);
  });
});

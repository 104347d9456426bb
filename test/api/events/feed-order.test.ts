import { expect } from 'chai';
import fc from 'fast-check';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { addEvent, pollAll, poller } from './given.ts';

describe('The feed of events never skips', () => {
  const stack = useStack({ workers: false, newTenants: true });

  async function beginWriting() {
    const written = Promise.withResolvers<string>();
    const ending = Promise.withResolvers<void>();
    const ended = stack.context.db.transaction(async (session) => {
      written.resolve(await addEvent(stack, { session }));
      await ending.promise;
    });
    ended.catch((error) => written.reject(error));
    const id = await written.promise;
    return {
      id,
      commit() {
        ending.resolve();
        return ended;
      },
      rollBack() {
        ending.reject(new Error('rolled back'));
        return ended.catch(() => {});
      },
    };
  }

  it('when ids were made in another order than they were written', async () => {
    const reader = poller(stack);
    const first = await addEvent(stack);
    stack.clock.advance(-60_000); // another process, whose clock is slow
    const second = await addEvent(stack);
    expect(second < first).to.equal(true);
    await nothingHeldBack(stack);
    expect(await reader.poll(1)).to.deep.equal([first, second]);
  });

  it('whatever begins, commits and rolls back in between', async function () {
    this.timeout(60_000);
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant('begin' as const) },
      { weight: 3, arbitrary: fc.nat(5).map((which) => ({ commit: which })) },
      { weight: 1, arbitrary: fc.nat(5).map((which) => ({ rollBack: which })) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((limit) => ({ poll: limit })) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await stack.sql`delete from deliveries`;
        await stack.sql`delete from events`;
        const reader = poller(stack);
        const open: Awaited<ReturnType<typeof beginWriting>>[] = [];
        const [committed, seen]: [string[], string[]] = [[], []];
        const end = async (which: number, how: 'commit' | 'rollBack') => {
          const [ending] = open.splice(which % Math.max(1, open.length), 1);
          await ending?.[how]();
          if (ending && how === 'commit') committed.push(ending.id);
        };
        for (const taken of steps) {
          if (taken === 'begin') open.length < 6 && open.push(await beginWriting());
          else if ('commit' in taken) await end(taken.commit, 'commit');
          else if ('rollBack' in taken) await end(taken.rollBack, 'rollBack');
          else seen.push(...(await reader.poll(taken.poll)));
        }
        while (open.length > 0) await end(0, 'commit');
        await nothingHeldBack(stack);
        seen.push(...(await reader.poll()));
        expect(new Set(seen).size, 'none twice').to.equal(seen.length);
        expect([...seen].sort()).to.deep.equal([...committed].sort());
        expect(await pollAll(stack), 'the same order whoever reads').to.deep.equal(seen);
      }),
      { numRuns: 25 },
    );
  });

  describe('in a database restored into a new cluster', () => {
    beforeEach(async () => {
      await stack.sql`delete from deliveries`;
      await stack.sql`delete from events`;
      await stack.sql`update event_feed set shift = 0`;
    });

    const migrate = () => migrateDatabase(stack.context.env.databaseUrl);

    async function isWaiting(): Promise<boolean> {
      const waiting =
        await stack.sql`select from pg_locks where relation = 'events'::regclass and not granted
         and database = (select oid from pg_database where datname = current_database())`;
      return waiting.length > 0;
    }

    it('once it was migrated: old events first, new ones after them', async () => {
      const old = [await addEvent(stack), await addEvent(stack)];
      await nothingHeldBack(stack);
      const reader = poller(stack);
      expect(await reader.poll()).to.deep.equal(old);
      await stack.sql`update events set xact = xact + 5000000000`; // as the old cluster had counted
      expect(await pollAll(stack)).to.deep.equal([]);
      await migrate();
      expect(await pollAll(stack)).to.deep.equal(old);
      const since = await addEvent(stack);
      expect(await pollAll(stack)).to.deep.equal([...old, since]);
    });

    it('and a reader continues with its cursor', async () => {
      await addEvent(stack);
      await stack.sql`update event_feed set shift = 5000000000`; // a cluster that has counted far
      const old = await addEvent(stack);
      const reader = poller(stack);
      await nothingHeldBack(stack);
      expect((await reader.poll()).at(-1)).to.equal(old);
      await stack.sql`update event_feed set shift = 0`; // a cluster that counts from the start
      await migrate();
      const since = [await addEvent(stack), await addEvent(stack)];
      await nothingHeldBack(stack);
      expect(await reader.poll(1)).to.deep.equal(since);
    });

    it('also for a reader who saw an event that the restore lost', async () => {
      await stack.sql`update event_feed set shift = 5000000000`;
      const lost = await addEvent(stack);
      const reader = poller(stack);
      await nothingHeldBack(stack);
      expect(await reader.poll()).to.deep.equal([lost]);
      await stack.sql`delete from events`;
      await stack.sql`update event_feed set shift = 0`; // nothing left shows how far it was
      await migrateDatabase(stack.context.env.databaseUrl, undefined, true);
      const since = await addEvent(stack);
      await nothingHeldBack(stack);
      expect(await reader.poll()).to.deep.equal([since]);
    });

    it('while a transaction is writing already', async () => {
      const old = await addEvent(stack);
      await stack.sql`update events set xact = xact + 5000000000`;
      const reader = poller(stack);
      const early = await beginWriting();
      let isOver = false;
      const migrating = migrate().finally(() => {
        isOver = true;
      });
      await until('a migration that waits, or is over', async () => isOver || (await isWaiting()));
      const seen = await reader.poll();
      await early.commit();
      await migrating;
      const since = await addEvent(stack);
      await nothingHeldBack(stack);
      expect([...seen, ...(await reader.poll())]).to.deep.equal([early.id, old, since]);
    });

    it('and migrating again, or without a restore, moves nothing', async () => {
      const shift = async () =>
        (await stack.sql<{ shift: number }>`select shift from event_feed`)[0]!.shift;
      await addEvent(stack);
      await migrate();
      expect(await shift()).to.equal(0);
      await stack.sql`update events set xact = xact + 5000000000`;
      await migrate();
      const moved = await shift();
      expect(moved).to.be.greaterThan(4_000_000_000);
      await migrate();
      expect(await shift()).to.equal(moved);
    });
  });
});

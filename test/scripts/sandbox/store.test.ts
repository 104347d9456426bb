import { expect } from 'chai';
import type { Sql } from '../../../domain/shared/sql.ts';
import type { Account } from '../../../scripts/sandbox/records.ts';
import { prepareSchema } from '../../../scripts/sandbox/schema.ts';
import { createStore } from '../../../scripts/sandbox/store.ts';
import { openDatabase } from './fixture.ts';

const account = (secretKey: string): Omit<Account, 'id'> => ({
  ...{ provider: 'paystack', slot: 'provider_a', mode: 'test', secretKey, credentials: {} },
  ...{ notificationUrl: null, notifiesRefunds: false, createdAt: new Date(0) },
});
const keys = (store: ReturnType<typeof createStore>) =>
  store.account.find('all').map(({ secretKey }) => secretKey);

describe('sandbox: the store', () => {
  it('writes what has changed since, in one statement, and again where that failed', async () => {
    await using database = await openStored();
    let calls = 0;
    const query: Sql['query'] = async (...statement) => {
      calls++;
      if (calls === 1) throw new Error('the database is away');
      return database.sql.query(...statement);
    };
    const store = createStore({ query });
    const first = store.account.add(account('first'));
    const failed = await store.saved().catch((error: Error) => error.message);
    expect(failed).to.equal('the database is away');
    store.account.change(first, { secretKey: 'changed' });
    store.account.add(account('second'));
    await Promise.all([store.saved(), store.saved()]);
    expect(calls).to.equal(2);
    await store.saved();
    expect(calls, 'nothing has changed').to.equal(2);
    expect(keys(await database.load())).to.deep.equal(['second', 'changed']);
  });

  it('finds a document by what it says now, and forgets one that was removed', async () => {
    await using database = await openStored();
    const store = createStore(database.sql);
    const [kept, gone] = [store.account.add(account('old')), store.account.add(account('gone'))];
    store.account.change(kept, { secretKey: 'new' });
    store.account.remove(gone);
    expect(store.account.first('key paystack old')).to.equal(undefined);
    expect(store.account.first('key paystack new')).to.equal(kept);
    await store.saved();
    const loaded = await database.load();
    expect(loaded.account.find('all')).to.deep.equal([kept]);
    expect(loaded.account.nextId(), 'no number is given again').to.equal(gone.id + 1);
  });

  it('takes what a history wrote beside it: older, and with no number of its own', async () => {
    await using database = await openStored();
    const store = createStore(database.sql);
    const past = createStore(database.sql, { isPast: true });
    const own = store.reference.add({ accountId: 1, reference: 'now' });
    const older = past.reference.add({ accountId: 1, reference: 'then' });
    await Promise.all([store.saved(), past.saved()]);
    await store.load();
    expect(older.id).to.be.lessThan(own.id);
    expect(store.reference.first('1 then')).to.deep.equal(older);
    expect(store.reference.first('1 now')).to.equal(own);
    expect(store.reference.nextId()).to.equal(own.id + 1);
  });
});

async function openStored() {
  const { sql, close } = await openDatabase();
  await prepareSchema(sql);
  const load = async () => {
    const store = createStore(sql);
    await store.load();
    return store;
  };
  return { sql, load, [Symbol.asyncDispose]: close };
}

import { createServer } from 'node:http';
import { Mutex } from 'async-mutex';
import winston from 'winston';
import type { Context } from '../../../config/context.ts';
import { createFactRecorder } from '../../../config/database/fact-recorder.ts';
import { listen } from '../../../config/listen.ts';
import { createSendingMarker } from '../../../config/providers/sending-marker.ts';
import { openCredentials } from '../../../domain/accounts/connection/connection.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import type { Session, Sql } from '../../../domain/shared/sql.ts';
import { type InTx, type Tx, txOf } from '../../../domain/shared/tx.ts';
import { createApp } from '../../sandbox/app.ts';
import { noFaults } from '../../sandbox/faults.ts';
import { createContext } from '../../sandbox/sandbox.ts';
import { createStore, type Store } from '../../sandbox/store.ts';
import { type Dice, diceOf } from './random.ts';

/** The service and the sandbox in the past: in one transaction, by one clock, over HTTP as ever. */
export type Past = Awaited<ReturnType<typeof openPast>>;

type Step = () => unknown;

/** One seed: every first start shows the same business. */
const SEED = 20_260_401;

/** Opens the past in the transaction `opened`. Nothing is enqueued: the past runs its own jobs. */
export async function openPast(service: Context, opened: Tx, start: Date) {
  await using scope = new AsyncDisposableStack();
  const session: Session = {
    query: askingOnce(opened.sql),
    write: opened.write,
    get em() {
      return opened.em;
    },
  };
  let now = start;
  const clock = () => now;
  const dice = diceOf(SEED);
  const tx = inSession(service, session, clock);
  const store = createStore(session, { isPast: true });
  await store.load();
  const sandbox = quietSandbox(service, store, clock, dice);
  const server = createServer(createApp(sandbox));
  const { port } = scope.use(await listen(server, 0, '127.0.0.1'));
  scope.defer(() => server.closeAllConnections());
  const context = workersContext(service, session, clock, tx, `http://127.0.0.1:${port}`);
  const agenda: { at: Date; step: Step }[] = [];
  /** Plans a step; one of the same moment as another comes after it. */
  const plan = (at: Date, step: Step) => {
    const later = agenda.findIndex((entry) => entry.at > at);
    agenda.splice(later < 0 ? agenda.length : later, 0, { at, step });
  };
  const open = scope.move();
  return {
    ...{ context, sandbox, dice, now: clock, plan },
    saveSandbox: store.saved,
    /** Runs a rule in the transaction and returns its result. What entities hold is written. */
    tx,
    later: (ms: number, step: Step) => plan(new Date(now.getTime() + ms), step),
    pass(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /** Does what is planned, in its order, until that moment. */
    async liveUntil(end: Date, stopped: AbortSignal) {
      while (agenda[0] && agenda[0].at <= end) {
        stopped.throwIfAborted();
        const { at, step } = agenda.shift()!;
        now = at;
        await step();
      }
      now = end;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function inSession({ vault }: Context, session: Session, clock: () => Date): InTx {
  return async (work) => {
    let hasEntities = false;
    const parts = {
      query: session.query,
      write: session.write,
      get em() {
        hasEntities = true;
        return session.em;
      },
    };
    const result = await work(txOf(parts, vault, clock()));
    if (hasEntities) {
      await session.em.flush();
      session.em.clear(); // statements change the same rows
    }
    return result;
  };
}

/** Without notifications: they would all be sent at the commit. */
function quietSandbox({ env }: Context, store: Store, now: () => Date, dice: Dice) {
  const closing = new AbortController().signal;
  const sandbox = createContext({
    ...{ url: env.sandboxUrl!, now, random: dice.next, closing },
    store: { ...store, saved: async () => {} },
  });
  for (const { name } of Object.values(sandbox.providers))
    sandbox.faults[name] = { ...noFaults, dropNotifications: true };
  return sandbox;
}

/** Connections do not change meanwhile and locks stay until the commit: both are asked for once. */
function askingOnce(session: Sql): Session['query'] {
  const mutex = new Mutex(); // a session takes one statement at a time
  const query: Session['query'] = (text, values) =>
    mutex.runExclusive(() => session.query(text, values));
  const answers = new Map<string, Promise<unknown[]>>();
  return <Row>(text: string, values: readonly unknown[] = []) => {
    if (!UNCHANGING.some((pattern) => pattern.test(text))) return query<Row>(text, values);
    const key = JSON.stringify([text, values]);
    const answer = answers.get(key) ?? query(text, values);
    answers.set(key, answer);
    return answer as Promise<Row[]>;
  };
}

const UNCHANGING = [
  /^select id, tenant_id, mode, slot, adapter, credentials,.* where id = any\(\$1\)$/s,
  /^select pg_advisory_xact_lock\(/,
];

function workersContext(
  service: Context,
  session: Session,
  clock: () => Date,
  inTx: InTx,
  sandboxUrl: string,
): Context {
  const db = {
    query: session.query,
    transaction: <T>(work: (session: Session) => Promise<T>) => work(session),
    get em() {
      return session.em;
    },
  };
  const open = new Map<string, ReturnType<Context['providerOf']>>();
  const providerOf: Context['providerOf'] = (connection) => {
    const { id, adapter } = connection;
    const credentials = openCredentials(service.vault, connection);
    const account = { credentials, baseUrl: `${sandboxUrl}/${adapter}`, clock };
    const provider = open.get(id) ?? providerNamed(adapter).open({ ...account, mode: 'test' });
    open.set(id, provider);
    return provider;
  };
  return {
    ...{ ...service, log: winston.createLogger({ silent: true }), clock, db, inTx, providerOf },
    // One thing happens at a time: there is nothing to gather.
    recordFact: createFactRecorder(inTx, 0),
    markSending: createSendingMarker(db, clock, 0),
    ...{ openBreakers: () => [], createPauseMs: () => null, isHalfOpen: () => false },
  };
}
